// The prefetcher as a model: a queue of sectors, and two cycles between a read and its prefetch's place there.
#include "unruly_unit.h"
#include <deque>
#include <map>
#include <optional>

struct stream {
  static constexpr uint64_t PERIOD = 6, AHEAD = 1, PLACES = 256, QUEUE = 8;
  struct Sector {
    uint64_t chunk, number;
  };
  Out out;
  uint64_t stat_streams = 0, stat_full = 0;
  std::optional<Sector> read, found; // found: of a stream
  bool looked = false;
  std::map<uint64_t, uint64_t> lately; // the chunk by its place
  std::deque<Sector> queue;

  stream() {
    out.watch_ready = out.reply_ready = true;
    out.memory_prefetch = true;
  }

  static uint64_t place(uint64_t chunk) { return (chunk ^ chunk >> 8) % PLACES; }

  // Places tell 8 bits of a chunk, and 16 more are kept.
  bool knows(uint64_t chunk) const {
    auto known = lately.find(place(chunk));
    return known != lately.end() && known->second >> 8 == (chunk >> 8 & 0xffff);
  }

  void clock(const In &in) {
    bool was_full = queue.size() == QUEUE;
    if (!out.memory_valid || in.memory_ready) {
      out.memory_valid = !queue.empty();
      if (!queue.empty()) {
        out.memory_address = queue.front().chunk * 256 + queue.front().number * 32;
        queue.pop_front();
      }
    }
    if (found) {
      stat_streams++;
      if (was_full)
        stat_full++;
      else
        queue.push_back({found->chunk + PERIOD * AHEAD, found->number});
    }
    looked = read.has_value();
    found.reset();
    if (read) {
      if (knows(read->chunk - PERIOD))
        found = read;
      lately[place(read->chunk)] = read->chunk & 0xffffff;
    }
    read.reset();
    if (in.watch_valid && in.watch_kind == 0)
      read = Sector{in.watch_address / 256, in.watch_address / 32 % 8};
    out.busy = read || looked || !queue.empty() || out.memory_valid;
  }
};
