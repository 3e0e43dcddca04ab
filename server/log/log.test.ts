import { expect, test } from 'vitest'
import { openLog, readableLines } from './log.ts'

test('in a terminal a log line shows time, level, message and fields, with an error below it', () => {
  const said: string[] = []
  const log = openLog('info', readableLines({ write: (text) => said.push(text) }))
  log.debug('nobody asked')
  log.info({ method: 'GET', route: '/api/health', status: 200, msg: 'answered' })
  log.error(
    { err: new TypeError('no such title', { cause: new Error('no row') }), job: 'mail' },
    'a job failed',
  )
  expect(said).toHaveLength(2)
  expect(said[0]).toMatch(
    /^\d\d:\d\d:\d\d {2}info {3}answered {2}method=GET {2}route=\/api\/health {2}status=200\n$/,
  )
  expect(said[1]).toMatch(
    /error {2}a job failed {2}job=mail\n {2}TypeError no such title\n {2}at [^]*\n {4}Error no row\n/,
  )
})
