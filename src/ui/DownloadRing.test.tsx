// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DownloadRing } from './DownloadRing.tsx'
import { ProgressLine } from './ProgressLine.tsx'

afterEach(cleanup)

test.each([
  ['none', 'Download Tin Whistle Winter'],
  ['waiting', 'Stop download of Tin Whistle Winter'],
  ['downloading', 'Stop download of Tin Whistle Winter'],
  ['done', 'Downloaded, remove Tin Whistle Winter'],
  ['failed', 'Try again to download Tin Whistle Winter'],
] as const)('a ring that is %s says what a press does', (state, name) => {
  render(<DownloadRing state={state} of="Tin Whistle Winter" />)
  expect(screen.getByRole('button', { name })).toBeTruthy()
})

test('a progress line with a name is a progress bar, one without is decorative', () => {
  const { rerender } = render(<ProgressLine share={0.384} label="Heard" />)
  expect(screen.getByRole('progressbar', { name: 'Heard' }).getAttribute('aria-valuenow')).toBe('38')
  rerender(<ProgressLine share={Number.NaN} label="Heard" />)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0')
  rerender(<ProgressLine share={2} />)
  expect(screen.queryByRole('progressbar')).toBeNull()
})
