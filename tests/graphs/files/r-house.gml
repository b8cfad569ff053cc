Creator "igraph version 1.3.4.9022 Sat Nov 28 17:48:21 2026"
Version 1
graph
[
  directed 0
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
  node
  [
    id 5
  ]
  node
  [
    id 6
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
    target 0
    weight 1
  ]
  edge
  [
    source 2
    target 1
    weight 2
  ]
  edge
  [
    source 4
    target 1
    weight 7
  ]
  edge
  [
    source 5
    target 4
    weight 3
  ]
  edge
  [
    source 5
    target 0
    weight 10
  ]
]
