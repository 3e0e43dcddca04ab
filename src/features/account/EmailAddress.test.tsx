// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#contract/account.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { render } from '#tests/support/render.tsx'
import { EmailAddress } from './EmailAddress.tsx'

afterEach(cleanup)

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, text: string) => userEvent.type(input(label), text)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const describedBy = (label: string) => {
  const id = input(label).getAttribute('aria-describedby')
  return id ? (document.getElementById(id)?.textContent ?? '') : ''
}

describe('a change of email', () => {
  const nell = { uuid: 'u-1', email: 'nell@murmur.example', confirmed: true, pendingEmail: null } as User
  const waiting = { ...nell, pendingEmail: 'fresh@murmur.example' } as User
  /** Answers each call as configured, and records what was sent. */
  const answering = (answer: (path: string) => unknown) => {
    const calls: string[] = []
    configureNet({
      exchange: async ({ method, path, json }) => {
        calls.push([method, path, json && JSON.stringify(json)].join(' ').trim())
        return answer(path)
      },
    })
    return calls
  }
  const shown = (of: User, onChanged = vi.fn()) =>
    render(<EmailAddress user={of} onChanged={onChanged} onConfirmed={vi.fn()} />)

  test('asks for the new address and the password, and says where the link went', async () => {
    const calls = answering(() => waiting)
    const onChanged = vi.fn()
    const { rerender } = shown(nell, onChanged)
    expect(screen.queryByLabelText('New email')).toBeNull()
    await press('Change email')
    await press('Send the link')
    expect(describedBy('New email')).toContain('Email is required')
    expect(describedBy('Your password')).toBe('Password is required')
    expect(calls).toEqual([])
    await type('New email', ' fresh@murmur.example ')
    await type('Your password', 'murmur-test')
    await press('Send the link')
    expect(calls).toEqual([
      'POST /api/users/u-1/change-email {"email":"fresh@murmur.example","password":"murmur-test"}',
    ])
    expect(onChanged).toHaveBeenCalledWith(waiting)
    rerender(<EmailAddress user={waiting} onChanged={onChanged} onConfirmed={vi.fn()} />)
    expect(screen.queryByLabelText('New email')).toBeNull()
    expect(
      screen.getByText(/We’ve sent a link to fresh@murmur\.example\. Your address changes/),
    ).not.toBeNull()
  })

  test('a refusal is shown at its field, and typed text stays', async () => {
    const violations = [{ propertyPath: 'password', message: 'That isn’t your password' }]
    answering(() => {
      throw new NetProblem('refused', 422, { violations })
    })
    shown(nell)
    await press('Change email')
    await type('New email', 'fresh@murmur.example')
    await type('Your password', 'not-it')
    await press('Send the link')
    expect(describedBy('Your password')).toBe('That isn’t your password')
    expect(input('New email').value).toBe('fresh@murmur.example')
  })

  test('one that waits is mailed again or cancelled', async () => {
    const calls = answering((path) => (path.endsWith('/resend') ? undefined : nell))
    const onChanged = vi.fn()
    shown(waiting, onChanged)
    await press('Resend the email')
    expect(await screen.findByText('A new email is on its way.')).not.toBeNull()
    await press('Cancel the change')
    expect(onChanged).toHaveBeenCalledWith(nell)
    expect(calls).toEqual(['POST /api/users/u-1/change-email/resend', 'DELETE /api/users/u-1/change-email'])
  })
})
