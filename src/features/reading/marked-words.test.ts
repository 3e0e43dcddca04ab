// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { withinText } from './marked-words.ts'

const parts = (html: string, choose: (range: Range) => void) => {
  document.body.innerHTML = html
  const range = document.createRange()
  choose(range)
  const words = withinText(range)
  return words && [words.startContainer.nodeType, words.endContainer.nodeType, words.toString()]
}
const at = (selector: string) => document.querySelector(selector)!

test('text selected by paragraph is marked from its first to its last letter', () => {
  const two = '<p id="a">One <em>two</em> three</p>\n<p id="b">Four</p>'
  expect(parts(two, (range) => range.selectNodeContents(at('#a')))).toEqual([3, 3, 'One two three'])
  // A triple click selects up to the beginning of the next paragraph.
  const three = (range: Range) => {
    range.setStart(at('#a').firstChild!, 0)
    range.setEnd(at('#b'), 0)
  }
  expect(parts(two, three)).toEqual([3, 3, 'One two three'])
  const some = (range: Range) => {
    range.setStart(at('em').firstChild!, 1)
    range.setEnd(at('#b').firstChild!, 2)
  }
  expect(parts(two, some)).toEqual([3, 3, 'wo three\nFo'])
  expect(parts('<p id="a"><img></p>', (range) => range.selectNodeContents(at('#a')))).toBeUndefined()
})
