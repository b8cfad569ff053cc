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
   edge [
      id 0
      source 0
      target 1
      weight 4
   ]
   edge [
      id 1
      source 0
      target 2
      weight 1
   ]
   edge [
      id 2
      source 0
      target 5
      weight 10
   ]
   edge [
      id 3
      source 1
      target 2
      weight 2
   ]
   edge [
      id 4
      source 1
      target 4
      weight 7
   ]
   edge [
      id 5
      source 4
      target 5
      weight 3
   ]
]
