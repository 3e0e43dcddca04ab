// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import { soon } from '#tests/support/wait-for.ts'
import { TitleMenu } from './TitleMenu.tsx'

vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }))
vi.mock('#features/listening/mark-finished.ts', () => ({
  titleState: async () => ({ finished: false, series: undefined }),
}))
const switching = vi.hoisted(() => ({
  other: undefined as { key: string; hasSpokenEBook: boolean } | undefined,
}))
vi.mock('#features/in-step/switch.ts', () => ({ otherFormat: async () => switching.other }))
const saving = vi.hoisted(() => ({ save: vi.fn() }))
vi.mock('#features/in-step/save-spoken-book.ts', () => ({ saveSpokenBook: saving.save }))
vi.mock('#session/store.ts', async (original) => ({
  ...(await original<object>()),
  currentOwner: () => 'nell',
}))
afterEach(() => {
  cleanup()
  switching.other = undefined
})

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TitleMenu titleKey={titleKey('audio', 'peat')} title="Peat" />
    </QueryClientProvider>,
  )
const button = () => screen.getByRole('button', { name: 'More for Peat' })

test('opening the menu by keyboard focuses its first entry', async () => {
  open()
  button().focus()
  await userEvent.keyboard('{Enter}')
  const first = await screen.findByRole('menuitem', { name: 'Play next' })
  await soon(() => expect(document.activeElement).toBe(first))
})

test('in step: a title that is owned in both formats can be saved as one e-book with its sound', async () => {
  switching.other = { key: titleKey('ebook', 'peat-as-a-book'), hasSpokenEBook: true }
  open()
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save e-book with sound' }))
  await soon(() => expect(saving.save).toHaveBeenCalledWith('nell', 'peat'))
})

test('in step: saving with sound is not offered for a title that the server cannot make one e-book of', async () => {
  switching.other = { key: titleKey('ebook', 'peat-as-a-book'), hasSpokenEBook: false }
  open()
  await userEvent.click(button())
  await screen.findByRole('menuitem', { name: 'Read from here' })
  expect(screen.queryByRole('menuitem', { name: 'Save e-book with sound' })).toBeNull()
})
