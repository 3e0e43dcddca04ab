// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlayerSettings } from './PlayerSettings.tsx'
import { playerSettings } from './settings.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

test.each([
  ['Keyboard shortcuts for the player', 'keys'],
  ['Headset buttons change the chapter', 'headsetChapters'],
  ['Play in one place at a time', 'onePlace'],
  ['Go back further after a longer pause', 'rewinds'],
  ['Skip the opening credits', 'skipsCredits'],
  ['Bookmark 15 seconds earlier', 'bookmarksEarlier'],
] as const)('the switch “%s” changes that, back again, and nothing else', async (name, setting) => {
  render(<PlayerSettings />)
  const before = playerSettings()
  const press = () => userEvent.click(screen.getByRole('switch', { name: new RegExp(`^${name}`) }))
  await press()
  expect(playerSettings()).toEqual({ ...before, [setting]: !before[setting] })
  expect(screen.getByRole<HTMLInputElement>('switch', { name: new RegExp(`^${name}`) }).checked).toBe(
    !before[setting],
  )
  await press()
  expect(playerSettings()).toEqual(before)
})
