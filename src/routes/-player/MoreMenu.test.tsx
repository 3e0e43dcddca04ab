// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderInApp, stagePlayer } from '#tests/support/player-screen.tsx'
import { MoreMenu } from './MoreMenu.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test.each([true, false])(
  'lists the keyboard shortcuts if the device has a hovering pointer: %s',
  async (hovers) => {
    const asked = vi.spyOn(window, 'matchMedia')
    asked.mockImplementation((media) => {
      const list = new EventTarget()
      return Object.assign(list, { media, matches: hovers && media.includes('hover') }) as MediaQueryList
    })
    await stagePlayer()
    const nothing = () => undefined
    renderInApp(<MoreMenu onOpen={nothing} onBookPage={nothing} onMinimise={nothing} />)
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    expect(await screen.findByRole('menuitem', { name: 'Bookmarks' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Keys' }) !== null).toBe(hovers)
  },
)

test('the menu has the colours of the title', async () => {
  await stagePlayer()
  const nothing = () => undefined
  renderInApp(<MoreMenu onOpen={nothing} onBookPage={nothing} onMinimise={nothing} />)
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  const { style } = (await screen.findByRole('menu')).parentElement!
  expect(style.getPropertyValue('--title-container')).not.toBe('')
})
