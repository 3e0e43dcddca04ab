import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { User } from '#contract/account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { deleteAccount, exportOwnData } from '#features/account/mutations.ts'
import { refusalWords } from '#features/account/refusal.ts'
import { leaveDeleted } from '#session/changes.ts'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'

const Dialog = lazy(async () => ({ default: (await import('#ui/Dialog.tsx')).Dialog }))

/** One's own data to take along, and the way out for good (ACC-34, ACC-36). */
export function OwnDataPanel({ user }: { user: User }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<boolean>()
  const [busy, setBusy] = useState<'export' | 'delete'>()

  const run = async (what: 'export' | 'delete', work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (problem) {
      toast(refusalWords(problem, MESSAGES.somethingWentWrong))
    } finally {
      setBusy(undefined)
    }
  }
  const takeAlong = () =>
    run('export', async () => saveFile('murmur-my-data.json', await exportOwnData(user.uuid)))
  const leave = () =>
    run('delete', async () => {
      await deleteAccount(user.uuid)
      await leaveDeleted()
      await removeDownloads(user.uuid)
      setAsking(false)
      await navigate({ to: '/', replace: true })
    })

  return (
    <>
      <p>Everything we keep about you, in one file: profile, library, places and orders.</p>
      <p>
        <Button look="quiet" busy={busy === 'export'} onClick={() => void takeAlong()}>
          Download my data
        </Button>
      </p>
      <p>
        Deleting your account removes your library and your places for good. Orders stay without your name.
      </p>
      <p>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </p>
      {asking !== undefined && (
        <Suspense>
          <Dialog
            open={asking}
            onOpenChange={setAsking}
            title="Delete your account for good?"
            closeLabel="No"
            actions={
              <Button look="danger" busy={busy === 'delete'} onClick={() => void leave()}>
                Yes
              </Button>
            }
          >
            <p>
              {user.email}, its library and its places are deleted at once and cannot be brought back. Take
              your data along first, if you want to keep it.
            </p>
          </Dialog>
        </Suspense>
      )}
    </>
  )
}

function saveFile(name: string, content: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}

async function removeDownloads(uuid: string): Promise<void> {
  try {
    const { removeDownloadsOf } = await import('#features/downloads/downloads.ts')
    await removeDownloadsOf(uuid)
  } catch {
    toast('Some downloads could not be removed. Clear this site’s data in your browser to be sure.')
  }
}
