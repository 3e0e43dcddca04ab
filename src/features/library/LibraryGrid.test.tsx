// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import { LibraryGrid, type ShelfItem } from './LibraryGrid.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const aTitle = (number: number): ShelfItem => ({
  ...{
    key: titleKey('audio', `title-${number}`),
    slug: `title-${number}`,
    title: `Title ${number}`,
    author: '',
  },
  ...{ format: 'audioBook', to: '/', share: 0, words: '' },
  picture: { avif: { 330: '', 600: '', 900: '' }, webp: { 330: '', 600: '', 900: '' }, width: 1, height: 1 },
})
const ROW_PX = 300
const COLUMNS = 4

/** A page with rows of four, 300 px high, scrolled by a number of pixels. */
async function open(count: number) {
  let scrolled = 0
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
    () => ({ top: -scrolled }) as DOMRect,
  )
  const items = Array.from({ length: count }, (_, number) => aTitle(number))
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <LibraryGrid items={items} /> }),
    history: createMemoryHistory(),
  })
  await router.load()
  await act(async () => void render(<RouterProvider router={router as never} />))
  screen.getByRole('list').style.gridTemplateColumns = '1px '.repeat(COLUMNS).trim()
  const spacers = () => {
    const { previousElementSibling: before, nextElementSibling: after } = screen.getByRole('list')
    return [before, after].map((spacer) => Number.parseFloat((spacer as HTMLElement).style.height))
  }
  return {
    spacers,
    scrollTo: (px: number) =>
      act(() => {
        scrolled = px
        dispatchEvent(new Event('scroll'))
      }),
  }
}
const cards = () => screen.getAllByRole('listitem')

test('listening: of 2,000 titles at most 60 cards are rendered at any scroll position, at the full page height', async () => {
  const { spacers, scrollTo } = await open(2000)
  const whole = (2000 / COLUMNS) * ROW_PX
  for (const at of [0, 900, 75_000, whole - innerHeight, 40_000, 0]) {
    scrollTo(at)
    expect(cards().length).toBeLessThanOrEqual(60)
    const [before, after] = spacers()
    expect(before! + after! + (cards().length / COLUMNS) * ROW_PX).toBe(whole)
    // The visible rows are rendered, with a row or two around them.
    expect(before).toBeLessThanOrEqual(at)
    expect(before! + (cards().length / COLUMNS) * ROW_PX).toBeGreaterThanOrEqual(
      Math.min(whole, at + innerHeight),
    )
  }
  expect(cards()[0]?.getAttribute('aria-posinset')).toBe('1')
})

test('a short library is rendered whole', async () => {
  await open(24)
  expect(cards()).toHaveLength(24)
})
