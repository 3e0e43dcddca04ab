// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putTitle, readTitle } from '#storage/sound-store.ts'
import { noDownload } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { connectivity } from '#net/connectivity.ts'
import { becomeUser, becomeVisitor, currentSession } from '#session/store.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { soon } from '#tests/support/wait-for.ts'
import { askToLogOut } from './account-entries.tsx'
import { ShelfDrawer } from './ShelfDrawer.tsx'
import { useShelfDrawer } from './shelf-drawer.ts'

const nell = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }
const TITLE = aStoredTitle({ kept: 1 })

beforeEach(() => becomeUser(nell, null))
afterEach(() => {
  cleanup()
  becomeVisitor()
  connectivity.note(true)
  connectivity.stop()
  useDownloadsStore.setState({ byTitle: new Map() })
  useShelfDrawer.setState(useShelfDrawer.getInitialState(), true)
})

async function choosesLogOut() {
  await act(() => askToLogOut())
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ShelfDrawer />
    </QueryClientProvider>,
  )
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('offline, a logout asks first, lists what becomes unreachable, and offers to stay', async () => {
  connectivity.lost()
  await choosesLogOut()
  const question = within(await screen.findByRole('dialog', { name: 'Log out while you’re offline?' }))
  expect(question.getByText(/can’t log back in without a connection/)).toBeTruthy()
  expect(question.getByText(/your library and the books saved on this device are out of reach/)).toBeTruthy()
  await press('Stay logged in')
  expect(currentSession().owner?.uuid).toBe('nell')

  await act(() => askToLogOut())
  await screen.findByRole('dialog')
  await press('Log out')
  await soon(() => expect(currentSession().status).toBe('visitor'))
})

test('a device with downloads offers to remove them with the logout', async () => {
  await putTitle('nell', TITLE)
  useDownloadsStore.setState({ byTitle: new Map([[TITLE.key, { ...noDownload(TITLE.key), state: 'done' }]]) })
  await choosesLogOut()
  const dialog = within(await screen.findByRole('dialog', { name: 'Log out of this device?' }))
  // On a phone the last button is on top.
  expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Close',
    'Log out and remove downloads',
    'Log out',
  ])
  await press('Log out and remove downloads')
  await soon(() => expect(currentSession().status).toBe('visitor'))
  await soon(async () => expect(await readTitle('nell', TITLE.key)).toBeUndefined())
})

test('online and without downloads, it logs out at once', async () => {
  await choosesLogOut()
  expect(currentSession().status).toBe('visitor')
  expect(screen.queryByRole('dialog')).toBeNull()
})
