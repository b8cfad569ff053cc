/* OpenMP's functions, for a clang that comes without this header. GCC's library has them; loops run in one thread. */
#ifndef UNRULY_OMP_H
#define UNRULY_OMP_H

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct omp_lock_t {
  unsigned char bytes[4];
} omp_lock_t __attribute__((aligned(4)));
typedef enum omp_sched_t { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;

void omp_set_num_threads(int count);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int yes);
int omp_get_dynamic(void);
void omp_set_nested(int yes);
int omp_get_nested(void);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
double omp_get_wtime(void);
double omp_get_wtick(void);

#if defined(__cplusplus)
}
#endif

#endif
