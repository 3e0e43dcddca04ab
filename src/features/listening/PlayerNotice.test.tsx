// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { useListeningStore } from './store.ts'
import { FloatingQuestion } from './TwoPlaces.tsx'
import { PlayerNotice } from './PlayerNotice.tsx'

vi.mock('./queries.ts', () => ({ useTitleNames: () => undefined }))
afterEach(cleanup)

test('the two-places question names the other device; a postponed one is neither repeated nor answered', async () => {
  const place = (chapter: number, deviceName?: string) => ({
    chapter,
    seconds: 60,
    heardAt: '2026-11-21T08:00:00Z',
    eventId: null,
    deviceId: null,
    ...(deviceName ? { deviceName } : {}),
  })
  const question = { slug: 'salt', here: place(1), there: place(3, 'Rosa’s phone'), foundAtMs: 0 }
  useListeningStore.setState({ twoPlaces: [question] })
  render(
    <>
      <PlayerNotice slug="salt" />
      <FloatingQuestion />
    </>,
  )
  const cards = () => screen.queryAllByRole('heading', { name: 'You’ve listened in two places' })
  await waitFor(() => expect(cards()).toHaveLength(2))
  expect(screen.getAllByText('Rosa’s phone')).toHaveLength(2)
  await userEvent.click(screen.getAllByRole('button', { name: 'Later' })[0]!)
  await waitFor(() => expect(cards()).toHaveLength(0))
  expect(useListeningStore.getState().twoPlaces).toEqual([question])
})
