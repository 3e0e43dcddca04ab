// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { followUserScopes } from '#session/user-scope.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { render } from '#tests/support/render.tsx'
import { recallStatement, StatementForm } from './StatementForm.tsx'

const exchange = vi.fn<(asked: Exchange) => Promise<unknown>>()
beforeEach(() => {
  sessionStorage.clear()
  becomeVisitor()
  exchange.mockReset().mockImplementation(async ({ json }) => ({
    ...(json as object),
    statedAt: '2026-11-25T00:19:00.000Z',
  }))
  configureNet({ exchange })
  render(<StatementForm />)
})
afterEach(cleanup)

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
function fillIn() {
  type(/Your name/, 'Una Reed')
  type(/Order number/, ' M-100001 ')
  type(/Your email/, 'una@murmur.example')
}

test('a statement has two steps: the form, then a summary with “Confirm withdrawal”', async () => {
  fillIn()
  type(/Only a part/, 'The gift for Greta')
  press('Continue')
  expect(document.activeElement?.textContent).toBe('Is this right?')
  for (const words of ['Una Reed', 'M-100001', 'una@murmur.example', 'The gift for Greta'])
    expect(screen.getByText(words)).toBeTruthy()
  expect(exchange).not.toHaveBeenCalled()
  press('Change something')
  type(/Only a part/, '')
  press('Continue')
  press('Confirm withdrawal')
  press('Confirm withdrawal')
  expect(await screen.findByRole('heading', { name: 'We’ve received your withdrawal' })).toBeTruthy()
  expect(screen.getByText(/25th November 2026 at 00:19 \(UTC\).*to una@murmur\.example/)).toBeTruthy()
  expect(exchange).toHaveBeenCalledTimes(1)
  expect(exchange.mock.lastCall![0]).toMatchObject({
    method: 'POST',
    path: '/api/withdrawals',
    json: { name: 'Una Reed', contract: 'M-100001', email: 'una@murmur.example', scope: null },
  })
})

test('a missing value is reported at its field, which gets the focus', () => {
  type(/Your name/, 'Una Reed')
  type(/Your email/, 'una at murmur')
  press('Continue')
  expect(document.activeElement).toBe(field(/Order number/))
  expect(screen.getByText('Fill in the order number, or say which contract')).toBeTruthy()
  expect(screen.getByText('Email must be valid')).toBeTruthy()
})

test('the draft survives a reload and a failed request, and is removed after sending', async () => {
  fillIn()
  cleanup()
  render(<StatementForm />)
  expect(field(/Order number/).value).toBe(' M-100001 ')
  press('Continue')
  exchange.mockRejectedValueOnce(new NetProblem('offline', 0))
  press('Confirm withdrawal')
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^You’re offline\. What you’ve typed is kept/,
  )
  exchange.mockRejectedValueOnce(new NetProblem('refused', 429, { 'hydra:description': 'Please wait.' }))
  press('Confirm withdrawal')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Please wait.'))
  press('Confirm withdrawal')
  await screen.findByRole('heading', { name: 'We’ve received your withdrawal' })
  cleanup()
  render(<StatementForm />)
  expect(field(/Order number/).value).toBe('')
})

test('a link in an email prefills its order number, until the user types another', () => {
  cleanup()
  render(<StatementForm order="M-100001" />)
  expect(field(/Order number/).value).toBe('M-100001')
  type(/Order number/, '')
  expect(field(/Order number/).value).toBe('')
})

test('a user’s name and address are prefilled, and another user sees nothing of the draft', () => {
  const stop = followUserScopes()
  const una = { uuid: 'a', firstName: 'Una', fullName: 'Una Reed', email: 'una@murmur.example' }
  cleanup()
  becomeUser({ uuid: 'a', firstName: 'Una' } as never, una as never)
  render(<StatementForm />)
  expect([field(/Your name/).value, field(/Your email/).value]).toEqual(['Una Reed', 'una@murmur.example'])
  type(/Order number/, 'M-100001')
  cleanup()
  becomeVisitor()
  render(<StatementForm />)
  expect([field(/Your name/).value, field(/Order number/).value]).toEqual(['', ''])
  stop()
})

test('a key pressed right after a reloaded form appears doesn’t overwrite the draft', async () => {
  fillIn()
  cleanup()
  const page = document.body.appendChild(document.createElement('div'))
  const Typed = ({ type: typeNow }: { type: () => void }) => {
    useLayoutEffect(typeNow)
    return <StatementForm />
  }
  page.innerHTML = renderToString(<Typed type={() => undefined} />)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void vi.unstubAllGlobals())
  await new Promise<void>((resolve) => {
    const typeNow = () => {
      const scope = page.querySelector('textarea')!
      // Use the browser's native setter: React ignores changes made through its own.
      Reflect.set(Reflect.getPrototypeOf(scope)!, 'value', 'One title', scope)
      scope.dispatchEvent(new Event('input', { bubbles: true }))
      resolve()
    }
    onTestFinished(() => root.unmount())
    const root = hydrateRoot(page, <Typed type={() => queueMicrotask(typeNow)} />)
  })
  expect(recallStatement()).toMatchObject({ email: 'una@murmur.example', scope: 'One title' })
  page.remove()
})
