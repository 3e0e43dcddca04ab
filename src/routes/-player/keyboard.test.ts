// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { commandFor, keyList, type Key } from './keyboard.ts'

const key = (name: string, part: Partial<Key> = {}): Key => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  defaultPrevented: false,
  ...part,
})

const element = (html: string) => {
  document.body.innerHTML = html
  return document.body.firstElementChild
}

describe('keys of the player', () => {
  it('do what the list of keys shows', () => {
    expect(commandFor(key(' '), null)).toBe('toggle')
    expect(commandFor(key('ArrowLeft'), null)).toBe('back')
    expect(commandFor(key('ArrowRight', { shiftKey: true }), null)).toBe('next')
    expect(commandFor(key('<', { shiftKey: true }), null)).toBe('slower')
    expect(commandFor(key('B', { shiftKey: true }), null)).toBe('bookmark')
    expect(commandFor(key('?', { shiftKey: true }), null)).toBe('help')
    expect(keyList({ backSeconds: 15, forwardSeconds: 15 })).toHaveLength(11)
  })

  it('leave Space to buttons, arrows to sliders, and all keys to fields', () => {
    expect(commandFor(key(' '), element('<button>Play</button>'))).toBeUndefined()
    expect(commandFor(key('c'), element('<button>Play</button>'))).toBe('chapters')
    expect(commandFor(key('ArrowLeft'), element('<input type="range">'))).toBeUndefined()
    expect(commandFor(key(' '), element('<input type="range">'))).toBe('toggle')
    expect(commandFor(key('b'), element('<textarea></textarea>'))).toBeUndefined()
  })

  it('leave browser shortcuts alone', () => {
    expect(commandFor(key('s', { ctrlKey: true }), null)).toBeUndefined()
    expect(commandFor(key('ArrowLeft', { altKey: true }), null)).toBeUndefined()
    expect(commandFor(key('Tab'), null)).toBeUndefined()
    expect(commandFor(key(' ', { defaultPrevented: true }), null)).toBeUndefined()
  })
})
