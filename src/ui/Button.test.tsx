// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Button } from './Button.tsx'

afterEach(cleanup)

test('a busy button is announced as busy, keeps its name and ignores further clicks', async () => {
  const onClick = vi.fn()
  const onSubmit = vi.fn((event: Event) => event.preventDefault())
  render(
    <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
      <Button type="submit" busy onClick={onClick}>
        Pay now
      </Button>
    </form>,
  )
  const button = screen.getByRole('button', { name: 'Pay now' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  await userEvent.click(button)
  expect(onClick).not.toHaveBeenCalled()
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a disabled button gives its reason and can still be focused by keyboard', async () => {
  const onClick = vi.fn()
  render(
    <Button disabledReason="Needs a connection" onClick={onClick}>
      Add to bag
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Add to bag' })
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Needs a connection',
  )
  await userEvent.tab()
  expect(document.activeElement).toBe(button)
  await userEvent.keyboard('{Enter}')
  expect(onClick).not.toHaveBeenCalled()
})

test('a button in a form does not submit it by default', () => {
  render(<Button>Show</Button>)
  expect(screen.getByRole('button').getAttribute('type')).toBe('button')
})
