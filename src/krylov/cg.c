static int work(int x) { return x; }
