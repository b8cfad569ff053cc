Creator "igraph version 1.0.0 Sat Nov 28 17:48:10 2026"
Version 1
graph
[
  directed 1
  node
  [
    id 0
  ]
  node
  [
    id 1
  ]
  node
  [
    id 2
  ]
  node
  [
    id 3
  ]
  node
  [
    id 4
  ]
  edge
  [
    source 0
    target 1
    weight 5
  ]
  edge
  [
    source 1
    target 0
    weight 3
  ]
  edge
  [
    source 1
    target 2
    weight 8
  ]
  edge
  [
    source 2
    target 2
    weight 1
  ]
  edge
  [
    source 3
    target 2
    weight 6
  ]
  edge
  [
    source 4
    target 0
    weight 2
  ]
]
