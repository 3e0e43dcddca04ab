import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { becomeEnded, becomeVisitor } from '#session/store.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { soon } from '#tests/support/wait-for.ts'
import { openDownloadsOf } from './lazy.ts'
import { pressDownload } from './press-download.ts'

afterEach(() => {
  void openDownloadsOf(undefined)
  becomeVisitor()
})

test('after the session has expired, Download in the player asks for a log-in', async () => {
  configureNet({ exchange: () => Promise.reject(new NetProblem('refused', 401)) })
  const owner = { uuid: crypto.randomUUID(), firstName: 'Rosa', fullName: 'Rosa Lind' }
  becomeEnded(owner)
  void openDownloadsOf(owner.uuid)
  pressDownload('audio/salt')
  await soon(() => expect(currentToast()?.text).toBe('Please log in again to download this title.'))
  dismissToast(currentToast()!.id)
})
