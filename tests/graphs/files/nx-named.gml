graph [
  node [
    id 0
    label "ada"
  ]
  node [
    id 1
    label "bob"
  ]
  node [
    id 2
    label "c-3"
  ]
  node [
    id 3
    label "d &#38; e"
  ]
  node [
    id 4
    label "<f>"
  ]
  node [
    id 5
    label "g&#34;h"
  ]
  edge [
    source 0
    target 1
    weight 4
  ]
  edge [
    source 0
    target 4
    weight 1
  ]
  edge [
    source 1
    target 2
    weight 2
  ]
  edge [
    source 1
    target 5
    weight 9
  ]
  edge [
    source 2
    target 3
    weight 7
  ]
]
