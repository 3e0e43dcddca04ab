import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { User } from '#contract/account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { DeleteAccountForm } from '#features/account/DeleteAccountForm.tsx'
import { deleteAccount, exportOwnData } from '#features/account/mutations.ts'
import { deletionQuery } from '#features/account/queries.ts'
import { refusalWords } from '#features/account/refusal.ts'
import { NetProblem } from '#net/problem.ts'
import { removePerson } from '#session/remove-person.ts'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { WhatDeletingEnds } from './WhatDeletingEnds.tsx'

const DELETE_FORM = 'delete-account'
const Dialog = lazyPart(() => import('#ui/Dialog.tsx'), 'Dialog')

/** Export of the account's data, and its deletion (ACC-34, ACC-36). */
export function OwnDataPanel({ user }: { user: User }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<boolean>()
  const [busy, setBusy] = useState<'export' | 'delete'>()

  const deletion = useQuery({ ...deletionQuery(user.uuid), enabled: asking === true })

  const takeAlong = async () => {
    setBusy('export')
    try {
      saveFile('murmur-my-data.json', await exportOwnData(user.uuid))
    } catch (problem) {
      toast(refusalWords(problem, MESSAGES.somethingWentWrong))
    } finally {
      setBusy(undefined)
    }
  }
  const leave = async (password: string) => {
    setBusy('delete')
    try {
      await deleteAccount(user.uuid, password, deletion.data?.amount ?? 0)
      const isAllGone = await removePerson(user.uuid)
      if (!isAllGone)
        toast(
          'Something could not be removed from this device. Clear this site’s data in your browser to be sure.',
        )
      setAsking(false)
      await navigate({ to: '/', replace: true })
    } catch (problem) {
      // The refund may have changed by now.
      if (problem instanceof NetProblem && problem.status === 409) await deletion.refetch()
      throw problem
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <>
      <p>Everything we keep about you, in one file: profile, library, places and orders.</p>
      <p>
        <Button look="quiet" busy={busy === 'export'} onClick={() => void takeAlong()}>
          Download my data
        </Button>
      </p>
      <p>
        Deleting your account removes your library and your places for good. We keep your orders, without your
        name.
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
              <Button
                type="submit"
                form={DELETE_FORM}
                look="danger"
                busy={busy === 'delete' || deletion.isLoading}
                disabled={deletion.isError}
              >
                Yes
              </Button>
            }
          >
            <DeleteAccountForm id={DELETE_FORM} remove={leave}>
              <p>
                {user.email}, your library and your places are deleted at once and can’t be brought back. If
                you’d like to keep your data, download it first.
              </p>
              {deletion.data && <WhatDeletingEnds deletion={deletion.data} />}
              {deletion.isError && (
                <p role="alert">
                  We can’t work out just now what would end and what we’d refund. Please try again in a
                  moment.
                </p>
              )}
            </DeleteAccountForm>
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
