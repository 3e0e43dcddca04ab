// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { carryCover, coverPlace } from './carry-cover.ts'

test('one cover at a time has the name of a place, so that the browser doesn’t cancel the transition', () => {
  document.body.innerHTML = '<i id="bar"></i><i id="old"></i><i id="pressed"></i>'
  const [bar, old, pressed] = document.querySelectorAll<HTMLElement>('i')
  const nameOf = (element: HTMLElement | undefined) => element?.style.getPropertyValue('view-transition-name')
  bar!.setAttribute('style', `view-transition-name: ${coverPlace('player-cover').viewTransitionName}`)
  carryCover('book-cover', old!)
  carryCover('book-cover', pressed!)
  expect([bar, old, pressed].map(nameOf)).toEqual(['player-cover', '', 'book-cover'])
  carryCover('player-cover', pressed!)
  expect([bar, old, pressed].map(nameOf)).toEqual(['', '', 'player-cover'])
})
