/* The connection to `unruly exec`: one for the process, used by one thread at a time. */
#include "internal.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int connection = -1;
static pid_t owner; /* the process that has opened it */

void unruly_put(struct unruly_message *message, const void *bytes, size_t length) {
  if (length > sizeof message->bytes - message->length)
    abort(); /* callers send what they know the size of */
  memcpy(message->bytes + message->length, bytes, length);
  message->length += length;
}

void unruly_put32(struct unruly_message *message, uint32_t value) { unruly_put(message, &value, sizeof value); }

void unruly_put64(struct unruly_message *message, uint64_t value) { unruly_put(message, &value, sizeof value); }

uint32_t unruly_get32(const unsigned char *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

uint64_t unruly_get64(const unsigned char *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static void open_connection(void) {
  const char *path = getenv("UNRULY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || *path == 0) {
    fputs("unruly: this program needs the GPU of the model: start it with `unruly exec PROGRAM`\n", stderr);
    return;
  }
  if (strlen(path) >= sizeof address.sun_path) {
    fprintf(stderr, "unruly: UNRULY_SOCKET: %s: the path is too long for a socket\n", path);
    return;
  }
  strcpy(address.sun_path, path);
  int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (opened < 0 || connect(opened, (struct sockaddr *)&address, sizeof address) != 0) {
    fprintf(stderr, "unruly: %s: %s: start the program with `unruly exec PROGRAM`\n", path, strerror(errno));
    if (opened >= 0)
      close(opened);
    return;
  }
  connection = opened;
  owner = getpid();
}

/* A child of fork leaves the connection to its parent. */
static int is_connected(void) {
  pthread_once(&once, open_connection);
  if (connection >= 0 && owner != getpid()) {
    close(connection);
    connection = -1;
    fputs("unruly: a child of fork has no GPU once its parent has used it: use the GPU in one of them\n", stderr);
  }
  return connection >= 0;
}

/* The device is gone: nothing can go on. */
static _Noreturn void lost(void) {
  fputs("unruly: the connection to `unruly exec` is lost\n", stderr);
  _exit(1);
}

static void send_all(struct iovec *part, int parts) {
  while (parts > 0) {
    struct msghdr header = {.msg_iov = part, .msg_iovlen = (size_t)parts};
    ssize_t sent = sendmsg(connection, &header, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      lost();
    for (size_t left = (size_t)sent; parts > 0;) {
      size_t step = left < part->iov_len ? left : part->iov_len;
      part->iov_base = (char *)part->iov_base + step;
      part->iov_len -= step;
      left -= step;
      if (part->iov_len > 0)
        break;
      part++, parts--;
    }
  }
}

static void receive_all(void *into, size_t bytes) {
  while (bytes > 0) {
    ssize_t received = recv(connection, into, bytes, MSG_WAITALL);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0)
      lost();
    into = (char *)into + received;
    bytes -= (size_t)received;
  }
}

static char *receive_text(size_t bytes) {
  char *text = malloc(bytes + 1);
  if (text == NULL)
    lost();
  receive_all(text, bytes);
  text[bytes] = 0;
  return text;
}

/* Sends a request and receives the head of its reply: status and length. */
static void exchange(enum unruly_operation operation, const struct unruly_message *message, const void *data, size_t data_bytes,
                     uint32_t head[2]) {
  uint32_t request[2] = {operation, (uint32_t)(message->length + data_bytes)};
  struct iovec parts[3] = {
      {request, sizeof request},
      {(void *)message->bytes, message->length},
      {(void *)data, data_bytes},
  };
  send_all(parts, 3);
  receive_all(head, 8);
}

cudaError_t unruly_reached(void) {
  if (!is_connected())
    return cudaErrorNoDevice;
  unruly_load_modules();
  return unruly_sticky();
}

cudaError_t unruly_ready(void) {
  cudaError_t error = unruly_reached();
  if (error == cudaSuccess)
    unruly_use_context();
  return error;
}

static cudaError_t ask(const char *call, enum unruly_operation operation, const struct unruly_message *message, const void *data,
                       size_t data_bytes, void *into, size_t room, size_t *length) {
  if (!is_connected())
    return cudaErrorNoDevice;
  uint32_t head[2];
  char *text = NULL;
  pthread_mutex_lock(&lock);
  exchange(operation, message, data, data_bytes, head);
  if (head[0] != 0)
    text = receive_text(head[1]);
  else if (head[1] > room || (length == NULL && head[1] != room))
    lost();
  else
    receive_all(into, head[1]);
  pthread_mutex_unlock(&lock);
  if (length != NULL)
    *length = head[1];
  if (text != NULL)
    unruly_say(call, text);
  free(text);
  return (cudaError_t)head[0];
}

cudaError_t unruly_ask(const char *call, enum unruly_operation operation, const struct unruly_message *message, const void *data,
                       size_t data_bytes, void *into, size_t room) {
  return ask(call, operation, message, data, data_bytes, into, room, NULL);
}

cudaError_t unruly_ask_some(const char *call, enum unruly_operation operation, const struct unruly_message *message, const void *data,
                            size_t data_bytes, void *into, size_t room, size_t *length) {
  return ask(call, operation, message, data, data_bytes, into, room, length);
}

cudaError_t unruly_ask_launch(const char *call, const struct unruly_message *message) {
  uint32_t head[2];
  pthread_mutex_lock(&lock);
  exchange(UNRULY_LAUNCH, message, NULL, 0, head);
  char *text = receive_text(head[1]);
  pthread_mutex_unlock(&lock);
  uint32_t printed = head[1] < 4 ? UINT32_MAX : unruly_get32((unsigned char *)text);
  if (head[1] < 4 || printed > head[1] - 4)
    lost();
  fwrite(text + 4, 1, printed, stdout);
  if (text[4 + printed] != 0)
    unruly_say(call, text + 4 + printed);
  free(text);
  return (cudaError_t)head[0];
}
