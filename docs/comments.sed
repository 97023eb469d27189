# Lets Doxygen read plain comments: the header's first comment, those on their own lines, and those behind a declaration.
1s|^/\* |/** @file\n * |
s|^( *)/\* |\1/** |
s|^([^"]*[^ "]) +/\* |\1 /**< |
