// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useEndless } from './LoadMore.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The end of the list is in sight from the first moment on, as far as the browser is asked. */
function endInSight() {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #track: (entries: { isIntersecting: boolean }[]) => void
      constructor(track: (entries: { isIntersecting: boolean }[]) => void) {
        this.#track = track
      }
      observe = () => this.#track([{ isIntersecting: true }])
      disconnect = () => undefined
    },
  )
}

function List(list: Parameters<typeof useEndless>[0]) {
  return <div ref={useEndless(list, 300)} />
}
const list = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false }

test('EDIT-07: the end of a list in sight asks for the next ones, again for those after them', () => {
  endInSight()
  const fetchNextPage = vi.fn()
  const { rerender } = render(<List {...list} fetchNextPage={fetchNextPage} />)
  expect(fetchNextPage).toHaveBeenCalledTimes(1)
  rerender(<List {...list} isFetchingNextPage fetchNextPage={fetchNextPage} />)
  rerender(<List {...list} fetchNextPage={fetchNextPage} />)
  expect(fetchNextPage).toHaveBeenCalledTimes(2)
})

test('what could not be loaded is not asked for again unasked, nor anything after the last page', () => {
  endInSight()
  const fetchNextPage = vi.fn()
  const { rerender } = render(<List {...list} isFetchingNextPage fetchNextPage={fetchNextPage} />)
  rerender(<List {...list} isFetchNextPageError fetchNextPage={fetchNextPage} />)
  rerender(<List {...list} hasNextPage={false} fetchNextPage={fetchNextPage} />)
  expect(fetchNextPage).not.toHaveBeenCalled()
})
