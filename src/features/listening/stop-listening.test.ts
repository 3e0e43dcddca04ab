// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { openListening } from './listening.ts'
import { putOffQuestion, useListeningStore } from './store.ts'

test('PLAY-29: neither a postponed question nor another playing device is left for the next user', async () => {
  configureNet({ exchange: () => Promise.reject(new NetProblem('offline', 0)) })
  const listening = await openListening(crypto.randomUUID())
  putOffQuestion('salt')
  useListeningStore.setState({
    elsewhere: {
      claimId: 'of the phone',
      deviceId: 'phone',
      deviceName: 'Phone',
      slug: 'salt',
      chapter: 1,
      seconds: 2,
    },
  })
  listening.stop()
  expect(useListeningStore.getState()).toEqual(useListeningStore.getInitialState())
})
