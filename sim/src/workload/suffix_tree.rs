//! Suffix tree of a text over four letters (Ukkonen, 1995), built letter by letter.

pub const LETTERS: usize = 4;
/// Nobody's child: no child is 0.
pub const ROOT: u32 = 0;

/// The label of a node is a part of the text. Leaves go one letter beyond the text's end, to a letter that nothing matches.
pub struct Node {
    pub from: u32,
    pub to: u32,
    /// The node that spells the same without the first letter.
    pub link: u32,
    pub children: [u32; LETTERS],
}

pub struct SuffixTree<'a> {
    text: &'a [u8],
    pub nodes: Vec<Node>,
    /// Where the next suffix goes on: so many letters of the text, from `edge` on, below a node.
    node: u32,
    edge: usize,
    length: usize,
}

impl SuffixTree<'_> {
    pub fn new(text: &[u8]) -> SuffixTree<'_> {
        let mut tree = SuffixTree { text, nodes: Vec::new(), node: ROOT, edge: 0, length: 0 };
        tree.add(0, 0);
        let mut open = 0;
        for i in 0..text.len() {
            open = tree.extend(i, open + 1);
        }
        tree
    }

    fn add(&mut self, from: usize, to: usize) -> u32 {
        self.nodes.push(Node { from: from as u32, to: to as u32, link: ROOT, children: [ROOT; LETTERS] });
        self.nodes.len() as u32 - 1
    }

    fn add_leaf(&mut self, from: usize, below: u32) {
        let leaf = self.add(from, self.text.len() + 1);
        self.nodes[below as usize].children[self.text[from] as usize] = leaf;
    }

    /// Puts letter i at the end of the `open` suffixes that are not yet told apart from others; gives how many still are not.
    fn extend(&mut self, i: usize, mut open: usize) -> usize {
        // The node whose link is the next one that is met here.
        let mut linkless = None;
        while open > 0 {
            if self.length == 0 {
                self.edge = i;
            }
            let child = self.nodes[self.node as usize].children[self.text[self.edge] as usize];
            let met = if child == ROOT {
                self.add_leaf(i, self.node);
                self.node
            } else {
                let Node { from, to, .. } = self.nodes[child as usize];
                let label = to.min(i as u32 + 1) as usize - from as usize;
                if self.length >= label {
                    (self.node, self.edge, self.length) = (child, self.edge + label, self.length - label);
                    continue;
                }
                if self.text[from as usize + self.length] == self.text[i] {
                    self.length += 1;
                    self.link(linkless, self.node);
                    return open;
                }
                self.split(child, i)
            };
            self.link(linkless, met);
            linkless = Some(met);
            open -= 1;
            if self.node != ROOT {
                self.node = self.nodes[self.node as usize].link;
            } else if self.length > 0 {
                (self.length, self.edge) = (self.length - 1, i + 1 - open);
            }
        }
        open
    }

    fn link(&mut self, from: Option<u32>, to: u32) {
        if let Some(node) = from.filter(|&node| node != ROOT) {
            self.nodes[node as usize].link = to;
        }
    }

    /// A node in the middle of the label of a child, with a leaf for letter i.
    fn split(&mut self, child: u32, i: usize) -> u32 {
        let from = self.nodes[child as usize].from as usize;
        let middle = from + self.length;
        let node = self.add(from, middle);
        self.nodes[self.node as usize].children[self.text[from] as usize] = node;
        self.nodes[node as usize].children[self.text[middle] as usize] = child;
        self.nodes[child as usize].from = middle as u32;
        self.add_leaf(i, node);
        node
    }

    /// Letters from the root to the end of each node's label.
    pub fn depths(&self) -> Vec<u32> {
        let (mut depths, mut open) = (vec![0; self.nodes.len()], vec![ROOT]);
        while let Some(node) = open.pop() {
            for &child in self.nodes[node as usize].children.iter().filter(|&&child| child != ROOT) {
                let Node { from, to, .. } = self.nodes[child as usize];
                depths[child as usize] = depths[node as usize] + to - from;
                open.push(child);
            }
        }
        depths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::inputs;

    fn text(length: usize, seed: u64, letters: i32) -> Vec<u8> {
        inputs::integers(length, seed, 0, letters - 1).map(|letter| letter as u8).collect()
    }

    /// Letters of a node, from the root on; the last one of a leaf, which is none, left out.
    fn spelled<'a>(tree: &SuffixTree<'a>, depths: &[u32], node: usize) -> &'a [u8] {
        let to = tree.nodes[node].to as usize;
        &tree.text[to - depths[node] as usize..to.min(tree.text.len())]
    }

    /// Every suffix can be read from the root on, children begin with their letter, and links leave out a letter.
    #[test]
    fn trees_spell_all_suffixes() {
        for (length, letters) in [(1, 1), (2, 1), (30, 1), (40, 2), (300, 2), (500, 4)] {
            let text = text(length, length as u64, letters);
            let tree = SuffixTree::new(&text);
            let depths = tree.depths();
            for start in 0..length {
                let (mut node, mut depth) = (ROOT, 0);
                while start + depth < length {
                    let child = tree.nodes[node as usize].children[text[start + depth] as usize];
                    assert!(child != ROOT, "suffix {start} of {length} ends after {depth} letters");
                    let label = &text[tree.nodes[child as usize].from as usize..];
                    let letters = ((tree.nodes[child as usize].to - tree.nodes[child as usize].from) as usize)
                        .min(length - start - depth);
                    assert_eq!(label[..letters.min(label.len())], text[start + depth..start + depth + letters]);
                    (node, depth) = (child, depth + letters);
                }
            }
            for (i, node) in tree.nodes.iter().enumerate().skip(1) {
                if node.children != [ROOT; LETTERS] {
                    let linked = spelled(&tree, &depths, node.link as usize);
                    assert_eq!(linked, &spelled(&tree, &depths, i)[1..], "link of {i}");
                }
            }
            assert!(tree.nodes.len() <= 2 * length + 1);
        }
    }
}
