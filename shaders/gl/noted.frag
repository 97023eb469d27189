// What a vertex or a geometry shader has noted (include/notes.glsl).
flat in vec4 txSeen;
out vec4 txPlace;

void main() { txPlace = txSeen; }
