graph [
   node [
      id 0
   ]
   node [
      id 1
   ]
   node [
      id 2
   ]
   node [
      id 3
   ]
   node [
      id 4
   ]
   node [
      id 5
   ]
   node [
      id 6
   ]
   node [
      id 7
   ]
   node [
      id 8
   ]
   node [
      id 9
   ]
   node [
      id 10
   ]
   node [
      id 11
   ]
   node [
      id 12
   ]
   node [
      id 13
   ]
   node [
      id 14
   ]
   node [
      id 15
   ]
   node [
      id 16
   ]
   node [
      id 17
   ]
   node [
      id 18
   ]
   node [
      id 19
   ]
   edge [
      id 0
      source 0
      target 1
   ]
   edge [
      id 1
      source 0
      target 5
   ]
   edge [
      id 2
      source 1
      target 2
   ]
   edge [
      id 3
      source 1
      target 6
   ]
   edge [
      id 4
      source 2
      target 3
   ]
   edge [
      id 5
      source 2
      target 7
   ]
   edge [
      id 6
      source 3
      target 4
   ]
   edge [
      id 7
      source 3
      target 8
   ]
   edge [
      id 8
      source 4
      target 9
   ]
   edge [
      id 9
      source 5
      target 6
   ]
   edge [
      id 10
      source 5
      target 10
   ]
   edge [
      id 11
      source 6
      target 7
   ]
   edge [
      id 12
      source 6
      target 11
   ]
   edge [
      id 13
      source 7
      target 8
   ]
   edge [
      id 14
      source 7
      target 12
   ]
   edge [
      id 15
      source 8
      target 9
   ]
   edge [
      id 16
      source 8
      target 13
   ]
   edge [
      id 17
      source 9
      target 14
   ]
   edge [
      id 18
      source 10
      target 11
   ]
   edge [
      id 19
      source 10
      target 15
   ]
   edge [
      id 20
      source 11
      target 12
   ]
   edge [
      id 21
      source 11
      target 16
   ]
   edge [
      id 22
      source 12
      target 13
   ]
   edge [
      id 23
      source 12
      target 17
   ]
   edge [
      id 24
      source 13
      target 14
   ]
   edge [
      id 25
      source 13
      target 18
   ]
   edge [
      id 26
      source 14
      target 19
   ]
   edge [
      id 27
      source 15
      target 16
   ]
   edge [
      id 28
      source 16
      target 17
   ]
   edge [
      id 29
      source 17
      target 18
   ]
   edge [
      id 30
      source 18
      target 19
   ]
]
