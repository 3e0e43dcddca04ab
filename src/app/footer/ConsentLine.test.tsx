// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConsentLine } from './StandardFooter.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('the question is asked until it is answered; afterwards the answer is a setting that is kept', async () => {
  render(<ConsentLine />)
  expect(screen.queryByRole('switch')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'No, thank you' }))
  expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false)
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  render(<ConsentLine />)
  const setting = screen.getByRole<HTMLInputElement>('switch', { name: 'Count which books people look at' })
  expect(setting.checked).toBe(false)
  await userEvent.click(setting)
  expect(localStorage.getItem('analytics')).toBe('on')
})
