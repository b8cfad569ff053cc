Creator "igraph version 1.0.0 Sat Nov 28 17:48:10 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "ada"
  ]
  node
  [
    id 1
    name "bob"
  ]
  node
  [
    id 2
    name "c-3"
  ]
  node
  [
    id 3
    name "d &amp; e"
  ]
  node
  [
    id 4
    name "<f>"
  ]
  node
  [
    id 5
    name "g&quot;h"
  ]
  edge
  [
    source 1
    target 0
    weight 4
  ]
  edge
  [
    source 2
    target 1
    weight 2
  ]
  edge
  [
    source 3
    target 2
    weight 7
  ]
  edge
  [
    source 4
    target 0
    weight 1
  ]
  edge
  [
    source 5
    target 1
    weight 9
  ]
]
