import { FingerprintIcon } from '@phosphor-icons/react/dist/csr/Fingerprint'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Passkey } from '#contract/passkeys.ts'
import { NetProblem } from '#net/problem.ts'
import { longDate } from '#format/date.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { refusalMessage, useWrite } from '#writes/use-write.ts'
import { addPasskey, hasPasskeys, isDismissed, passkeysQuery, removePasskey } from './passkeys.ts'
import styles from './account-forms.module.css'

/** The account's passkeys, and a way to add one for this device. */
export function PasskeyList({ ownerUuid }: { ownerUuid: string }) {
  const queryClient = useQueryClient()
  const query = passkeysQuery(ownerUuid)
  const { data: passkeys, isError } = useQuery({ ...query, staleTime: 0 })
  const reload = () => queryClient.invalidateQueries({ queryKey: query.queryKey })
  const add = useWrite(addPasskey, {
    onSuccess: async () => {
      await reload()
      announce('Your passkey is added.')
    },
    message: passkeyRefusal,
  })
  const remove = useWrite(
    ({ id }: Passkey) =>
      removePasskey(id).catch((problem: unknown) => {
        // It was removed on another device.
        if (!(problem instanceof NetProblem) || problem.status !== 404) throw problem
      }),
    { onSuccess: reload },
  )
  if (!passkeys) return isError ? <p>Your passkeys need a connection.</p> : <p aria-busy="true">&nbsp;</p>
  return (
    <>
      {passkeys.length === 0 ? (
        <p>With a passkey you log in by your fingerprint, your face or your device’s PIN.</p>
      ) : (
        <ul className={styles.list} role="list">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={styles.row}>
              <FingerprintIcon className={styles.icon} size={24} aria-hidden />
              <div className={styles.words}>
                <b>{passkey.name}</b>
                <p>
                  {passkey.lastUsedAt
                    ? `Last used on ${longDate(passkey.lastUsedAt)}`
                    : `Added on ${longDate(passkey.createdAt)}`}
                </p>
              </div>
              <div className={styles.ways}>
                <Button
                  look="text"
                  busy={remove.busy}
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => void remove.write(passkey)}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Refusal message={add.refusal || remove.refusal} />
      {hasPasskeys() && (
        <div>
          <Button look="quiet" busy={add.busy} onClick={() => void add.write()}>
            Add a passkey
          </Button>
        </div>
      )}
    </>
  )
}

export function passkeyRefusal(problem: unknown): string {
  if (isDismissed(problem)) return 'No passkey was used.'
  if (problem instanceof Error && problem.name === 'InvalidStateError')
    return 'This device has a passkey of yours already.'
  if (!(problem instanceof NetProblem)) return 'Your browser couldn’t use a passkey.'
  return refusalMessage(problem, (description) => description)
}
