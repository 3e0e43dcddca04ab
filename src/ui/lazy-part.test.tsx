// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart } from './lazy-part.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  document.getElementById('server-parts')?.remove()
})

const Footer = () => <p>The footer</p>

/** A page that is still loading its pictures, and that has the footer in its markup. */
function pageWithFooter(): void {
  vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
  document.body.insertAdjacentHTML(
    'beforeend',
    '<script type="application/json" id="server-parts">["Footer"]</script>',
  )
}

test.each(['load', 'pointerdown', 'keydown', 'focusin'])(
  'loads the code of a part that the server rendered at the first %s',
  async (event) => {
    pageWithFooter()
    const load = vi.fn(() => Promise.resolve({ Footer }))
    const Part = lazyPart(load, 'Footer')
    render(<Part />, { wrapper: Suspense })
    await act(() => Promise.resolve())
    expect(load).not.toHaveBeenCalled()
    await act(async () => void window.dispatchEvent(new Event(event)))
    expect(await screen.findByText('The footer')).toBeTruthy()
  },
)

test('loads a part that is not in the page at once', async () => {
  pageWithFooter()
  const Part = lazyPart(() => Promise.resolve({ Menu: () => <p>The menu</p> }), 'Menu')
  render(<Part />, { wrapper: Suspense })
  expect(await screen.findByText('The menu')).toBeTruthy()
})
