import { afterEach, expect, test } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { explainFailure } from './press-download.ts'
import { NothingYet } from './model.ts'

afterEach(() => {
  const shown = currentToast()
  if (shown) dismissToast(shown.id)
})

test.each([
  ['a session that ended', new NetProblem('refused', 401), 'Please log in again to download this title.'],
  ['a book that is somebody else’s', new NetProblem('refused', 403), /can’t be downloaded just now/],
  ['no network', new NetProblem('offline', 0), 'Needs a connection'],
  ['a proxy’s answer', new NetProblem('server', 503), 'Needs a connection'],
  ['files that are still being made', new NothingYet(), /still being made/],
  ['a full device', new DOMException('full', 'QuotaExceededError'), /This device is full/],
  [
    'a database that hangs',
    new DOMException('The database does not answer', 'InvalidStateError'),
    /^This browser’s storage doesn’t answer/,
  ],
  [
    'code that did not load',
    new TypeError('Failed to fetch dynamically imported module'),
    'Needs a connection',
  ],
])('Download explains %s', (_what, problem, words) => {
  explainFailure(problem)
  expect(currentToast()?.text).toMatch(words)
})
