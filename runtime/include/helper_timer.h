/* Timers of the host, in the names of the CUDA samples. They measure real time, not the model's. */
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_
#include "unruly/aside.h"

#include <stddef.h>
#include <sys/time.h>

class StopWatchInterface {
public:
  StopWatchInterface() : running(false), sessions(0), began(0), last(0), total(0) {}
  virtual ~StopWatchInterface() {}
  virtual void start() {
    began = now();
    running = true;
  }
  virtual void stop() {
    last = now() - began;
    total += last;
    running = false;
    sessions++;
  }
  virtual void reset() {
    total = last = 0;
    sessions = 0;
    began = now();
  }
  virtual float getTime() { return (float)(running ? now() - began : total); }
  virtual float getAverageTime() { return sessions > 0 ? (float)(total / sessions) : 0.0f; }

private:
  static double now() {
    struct timeval time;
    gettimeofday(&time, NULL);
    return 1000.0 * (double)time.tv_sec + 0.001 * (double)time.tv_usec;
  }
  bool running;
  int sessions;
  double began, last, total;
};
typedef StopWatchInterface StopWatchLinux;

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = NULL;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer != NULL)
    (*timer)->start();
  return *timer != NULL;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer != NULL)
    (*timer)->stop();
  return *timer != NULL;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer != NULL)
    (*timer)->reset();
  return *timer != NULL;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer != NULL ? (*timer)->getTime() : 0.0f; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return *timer != NULL ? (*timer)->getAverageTime() : 0.0f; }

#include "unruly/back.h"

#endif
