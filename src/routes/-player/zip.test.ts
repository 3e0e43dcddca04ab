import { beforeEach, describe, expect, it, vi } from 'vitest'
import { becomeUser } from '#session/store.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { saveZip } from './MoreMenu.tsx'

const { saveStoredZip } = vi.hoisted(() => ({ saveStoredZip: vi.fn() }))
vi.mock('#features/downloads/save-stored-zip.ts', () => ({ saveStoredZip }))

const OWNER = '6c1f6e3e-2f0c-4d57-9d0f-8c7b1f6f3a20'
beforeEach(() => {
  vi.clearAllMocks()
  becomeUser({ uuid: OWNER, firstName: 'Rosa', fullName: 'Rosa Lind' }, null)
})

describe('downloading as zip', () => {
  it('PLAY-04: online it downloads the server’s zip from a freshly signed address', async () => {
    const loadBook = vi.fn(() => Promise.resolve(aPlayable({ download: '/media/zip/fresh' })))
    const ports = fakePorts({ loadBook })
    const download = vi.fn()
    await saveZip(ports, aPlayable({ download: '/media/zip/expired' }), download)
    expect(download).toHaveBeenCalledExactlyOnceWith('/media/zip/fresh')
    expect(saveStoredZip).not.toHaveBeenCalled()
  })

  it('PLAY-04: offline it is made from the stored chapters', async () => {
    const ports = fakePorts()
    const download = vi.fn()
    ports.goOffline()
    await saveZip(ports, aPlayable(), download)
    expect(download).not.toHaveBeenCalled()
    expect(saveStoredZip).toHaveBeenCalledExactlyOnceWith(OWNER, 'the-salt-ledger')
  })

  it('PLAY-04: the same if the server does not answer', async () => {
    const ports = fakePorts({ loadBook: () => Promise.reject(new Error('timeout')) })
    await saveZip(ports, aPlayable(), vi.fn())
    expect(saveStoredZip).toHaveBeenCalledExactlyOnceWith(OWNER, 'the-salt-ledger')
  })
})
