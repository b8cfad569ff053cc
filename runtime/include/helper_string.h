/* Arguments of the form -name and -name=value, and files near the program, in the names of the CUDA samples. */
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_
#include "unruly/aside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, bytes, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(result) (result == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* What stands behind the dashes, or behind `delimiter`. */
inline int stringRemoveDelimiter(char delimiter, const char *string) {
  int start = 0;
  while (string[start] == delimiter)
    start++;
  return start >= (int)strlen(string) - 1 ? 0 : start;
}

inline int getFileExtension(char *filename, char **extension) {
  int length = (int)strlen(filename);
  while (length > 0 && filename[length - 1] != '.')
    length--;
  *extension = filename + length;
  return length;
}

/* The word for `name`, which programs also write with a `=` behind it, and what follows; NULL: it is not there. */
inline const char *unrulyFindArgument(int argc, const char **argv, const char *name, const char **value) {
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i] + strspn(argv[i], "-");
    size_t length = strcspn(word, "=");
    if (word != argv[i] && length == strcspn(name, "=") && STRNCASECMP(word, name, length) == 0) {
      *value = word[length] == '=' ? word + length + 1 : word + length;
      return word;
    }
  }
  return NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name) {
  const char *value;
  return unrulyFindArgument(argc, argv, name, &value) != NULL;
}
inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name) {
  const char *value;
  return unrulyFindArgument(argc, argv, name, &value) != NULL ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name) {
  const char *value;
  return unrulyFindArgument(argc, argv, name, &value) != NULL ? (float)atof(value) : 0.0f;
}
inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **result) {
  const char *value;
  bool found = unrulyFindArgument(argc, argv, name, &value) != NULL;
  *result = found ? const_cast<char *>(value) : NULL;
  return found;
}
template <class T> inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *result) {
  const char *value;
  bool found = unrulyFindArgument(argc, argv, name, &value) != NULL;
  if (found)
    *result = (T)atoi(value);
  return found;
}

/* A file in the working directory, in its folder `data`, or in those of the program. The caller frees the result. NULL: not found. */
inline char *sdkFindFilePath(const char *filename, const char *executable) {
  std::string program = executable == NULL ? "" : executable;
  std::string folder = program.substr(0, program.find_last_of('/') + 1);
  const std::string places[] = {"", "data/", "../data/", folder, folder + "data/", folder + "../data/"};
  for (const std::string &place : places) {
    std::string path = place + filename;
    FILE *file = fopen(path.c_str(), "rb");
    if (file != NULL) {
      fclose(file);
      return strdup(path.c_str());
    }
  }
  return NULL;
}

#include "unruly/back.h"

#endif
