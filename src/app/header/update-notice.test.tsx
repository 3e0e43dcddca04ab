// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePlayer } from '#features/player/store.ts'
import { OfflineBadge, offerUpdate } from './OfflineBadge.tsx'

const OFFER = /A new version of .* is ready/
const state = () => usePlayer.getState().state

beforeEach(() => offerUpdate(undefined))
afterEach(() => {
  cleanup()
  usePlayer.setState(usePlayer.getInitialState(), true)
})

test('a new release is offered in the header, and “Not now” hides the offer until the next start', async () => {
  const takeOver = vi.fn()
  render(<OfflineBadge state="online" />)
  expect(screen.queryByText(OFFER)).toBeNull()
  act(() => offerUpdate(takeOver))
  await screen.findByText(OFFER)
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
  expect(screen.queryByText(OFFER)).toBeNull()
  expect(takeOver).not.toHaveBeenCalled()
  // The release is still waiting at the next start.
  act(() => offerUpdate(takeOver))
  await userEvent.click(await screen.findByRole('button', { name: 'Update' }))
  expect(takeOver).toHaveBeenCalledOnce()
})

test('trap 17: the offer is hidden while a book plays, and shown again when it stops', async () => {
  render(<OfflineBadge state="online" />)
  act(() => offerUpdate(vi.fn()))
  await screen.findByText(OFFER)
  const silent = state()
  act(() => usePlayer.setState({ state: { ...silent, status: 'playing' } }))
  expect(screen.queryByText(OFFER)).toBeNull()
  act(() => usePlayer.setState({ state: silent }))
  expect(screen.getByText(OFFER)).toBeTruthy()
})
