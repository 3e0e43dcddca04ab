import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ClosingOutcome, Deletion } from '#contract/account-deletion.ts'
import type { User } from '#contract/account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { planInWords } from '#contract/plans.ts'
import styles from '#features/account/account-forms.module.css'
import { deleteAccount, exportOwnData } from '#features/account/mutations.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { passwordRules } from '#features/account/validation.ts'
import { ownKey } from '#features/query-keys.ts'
import { plans } from '#features/shop-details/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { removeUser } from '#session/log-out.ts'
import { Button } from '#ui/Button.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { PasswordField } from '#ui/Field.tsx'
import { saveFile } from '#ui/save-file.ts'
import { toast } from '#ui/toast.ts'
import { refusalMessage, useWrite } from '#writes/use-write.ts'

const DELETE_FORM = 'delete-account'
const Dialog = lazyPart(() => import('#ui/Dialog.tsx'), 'Dialog')

/** Export of the account's data, and its deletion (ACC-34, ACC-36). */
export function OwnDataPanel({ user }: { user: User }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<boolean>()
  const [isLeaving, setLeaving] = useState(false)

  const deletion = useQuery({ ...deletionQuery(user.uuid), enabled: asking === true })

  const download = useWrite(() => exportOwnData(user.uuid), {
    onSuccess: (data) =>
      saveFile(
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
        'murmur-my-data.json',
      ),
    onFailure: (problem) => toast(refusalMessage(problem)),
  })
  const leave = async (password: string) => {
    setLeaving(true)
    try {
      await deleteAccount(user.uuid, password, deletion.data?.amount ?? 0)
      const isAllGone = await removeUser(user.uuid)
      if (!isAllGone)
        toast(
          'Something could not be removed from this device. Clear this site’s data in your browser to be sure.',
        )
      setAsking(false)
      await navigate({ to: '/', replace: true })
    } catch (problem) {
      // The refund has changed; show the new one.
      if (problem instanceof NetProblem && problem.status === 409) await deletion.refetch()
      throw problem
    } finally {
      setLeaving(false)
    }
  }

  return (
    <>
      <p>Everything we keep about you, in one file: profile, library, places and orders.</p>
      <p>
        <Button look="quiet" busy={download.busy} onClick={() => void download.write()}>
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
                busy={isLeaving || deletion.isLoading}
                disabled={deletion.isError}
              >
                Yes
              </Button>
            }
          >
            <DeleteAccountForm id={DELETE_FORM} remove={leave}>
              <p>
                {user.email}, your library and your places are deleted straight away and can’t be brought
                back. If you’d like to keep your data, download it first.
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

/** Memberships that end with the account, and their refunds. */
function WhatDeletingEnds({ deletion }: { deletion: Deletion }) {
  const { memberships, freeAudiobooks } = deletion
  return (
    <>
      {memberships.map(({ plan, gift, trial, outcome }) => (
        <p key={`${plan} ${gift}`}>
          {trial ? 'Your free trial' : gift ? 'The membership you were given' : 'Your membership'} (
          {planInWords(plans()[plan])}) ends straight away. {WHY[outcome]}
        </p>
      ))}
      {freeAudiobooks > 0 && (
        <p>
          {freeAudiobooks === 1
            ? 'The free audiobook you haven’t chosen goes with it.'
            : `The ${freeAudiobooks} free audiobooks you haven’t chosen go with it.`}
        </p>
      )}
      {deletion.amount > 0 && (
        <p>
          <b>{amount(toMinor(deletion.amount))} goes back to where it came from</b>, within a few days.
        </p>
      )}
    </>
  )
}

const WHY: Record<ClosingOutcome, string> = {
  back: '',
  to_giver: 'The person who gave it to you gets their money back.',
  nothing_left: 'There’s nothing to refund: you’ve already chosen this month’s free audiobooks.',
  too_late: 'The 14 days to cancel and get a refund are over.',
  disputed:
    'Your bank is still looking into a payment for it, so we can’t refund it. If you’d like a refund, please wait for the bank’s decision.',
  no_charge: 'You won’t be charged for it.',
}

interface DeleteAccountFormProps {
  /** For the submit button, which is outside the form. */
  id: string
  remove: (password: string) => Promise<unknown>
  children: ReactNode
}

/** Ask for the password, so that a phone left on a table isn't enough to delete an account. */
function DeleteAccountForm({ id, remove, children }: DeleteAccountFormProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { password: '' } })
  const { write, refusal } = useWrite(remove, {
    message: (problem) => refusalMessage(problem, deletionRefusal(problem)),
    form: { setError, fields: ['password'] },
  })
  const onSubmit = handleSubmit(({ password }) => write(password))

  return (
    <form id={id} className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      {children}
      <Refusal message={refusal} />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password', passwordRules)}
      />
    </form>
  )
}

const deletionRefusal = (problem: unknown): string =>
  problem instanceof NetProblem && problem.status === 409 ? problem.description : MESSAGES.somethingWentWrong

/** Never cached, because it changes with time. */
const deletionQuery = (id: string) =>
  queryOptions({
    queryKey: ownKey(id, 'deletion'),
    queryFn: ({ signal }) => call('GET /api/users/{id}/delete-account', { params: { id }, signal, as: id }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
