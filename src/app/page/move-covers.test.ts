// @vitest-environment happy-dom
import type { AnyRouter } from '@tanstack/react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { moveCovers } from './move-covers.ts'

interface Change {
  fromLocation: { pathname: string }
  toLocation: { pathname: string }
  pathChanged: boolean
}

const listeners = new Map<string, (change: Change) => void>()
const router = {
  shouldViewTransition: undefined as boolean | undefined,
  subscribe: (event: string, listener: (change: Change) => void) => listeners.set(event, listener),
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of a router that it uses
beforeAll(() => moveCovers(router as unknown as AnyRouter))
afterEach(() => vi.restoreAllMocks())

const LIST = `<main><ul>
  <li><a class="peat" href="/audiobooks/peat"><span><picture></picture></span></a></li>
  <li><span><picture></picture></span><a class="skerry" href="/audiobooks/skerry">Skerry</a></li>
  <li><a class="person" href="/people/nell"><span><picture></picture></span></a></li>
</ul></main>`
const BOOK = '<main><span style="view-transition-name: book-cover"><picture></picture></span></main>'

function go(from: string, to: string, page: string): boolean {
  router.shouldViewTransition = undefined
  const change = { fromLocation: { pathname: from }, toLocation: { pathname: to }, pathChanged: true }
  listeners.get('onBeforeNavigate')!(change)
  document.body.innerHTML = page
  listeners.get('onRendered')!(change)
  return router.shouldViewTransition === true
}

function press(link: string) {
  document.body.innerHTML = LIST
  const pressed = document.querySelector<HTMLElement>(`.${link}`)!
  pressed.addEventListener('click', (event) => event.preventDefault())
  pressed.click()
}

const named = () =>
  [...document.querySelectorAll<HTMLElement>('span')].map((cover) =>
    cover.style.getPropertyValue('view-transition-name'),
  )
const inWindow = () =>
  vi
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockReturnValue({ top: 10, bottom: 90, left: 10, right: 90 } as DOMRect)

test.each([
  ['peat', ['book-cover', '', '']],
  ['skerry', ['', 'book-cover', '']],
])('the cover in or beside the link to %s moves to the page of the title, and back', (slug, names) => {
  inWindow()
  press(slug)
  const change = {
    fromLocation: { pathname: '/audiobooks' },
    toLocation: { pathname: `/audiobooks/${slug}` },
    pathChanged: true,
  }
  listeners.get('onBeforeNavigate')!(change)
  expect([named(), router.shouldViewTransition]).toEqual([names, true])
  expect(go(`/audiobooks/${slug}`, '/audiobooks', LIST)).toBe(true)
  expect(named()).toEqual(names)
})

test('nothing moves to other pages, to a page that the title wasn’t opened from, or with reduced motion', () => {
  press('person')
  expect(go('/audiobooks', '/people/nell', BOOK)).toBe(false)
  press('peat')
  expect(go('/audiobooks', '/audiobooks/peat', BOOK)).toBe(true)
  expect(go('/audiobooks/peat', '/browse', LIST)).toBe(false)
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  press('peat')
  expect(go('/audiobooks', '/audiobooks/peat', BOOK)).toBe(false)
})

test('a cover outside the window stays where it is', () => {
  press('peat')
  expect(go('/audiobooks', '/audiobooks/peat', BOOK)).toBe(true)
  go('/audiobooks/peat', '/audiobooks', LIST)
  expect(named()).toEqual(['', '', ''])
})
