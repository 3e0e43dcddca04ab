import { WifiHighIcon } from '@phosphor-icons/react/dist/csr/WifiHigh'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useSyncExternalStore } from 'react'
import { whenWas } from '#format/date.ts'
import { checkedCatalogue, onCatalogue } from '#net/connectivity.ts'
import { useWantsSignIn } from '#net/use-online.ts'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { NetworkSignIn } from '../problems/OfflineScreen.tsx'
import styles from './header.module.css'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { reloadPage } from '#storage/page-storage.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { shop } from '#features/shop-details/shop.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { create } from 'zustand'
import type { TakeOver } from '#storage/update.ts'

/** `back` for three seconds after the connection returned. */
export type OfflineState = 'online' | 'offline' | 'back'

/** Below the header: a line while the server can't be reached, and the offer of a new release. */
export function OfflineBadge({ state }: { state: OfflineState }) {
  return (
    <>
      {state !== 'online' && <ConnectionLine state={state} />}
      <UpdateNotice />
    </>
  )
}

function ConnectionLine({ state }: { state: OfflineState }) {
  const wantsSignIn = useWantsSignIn()
  const catalogue = useSyncExternalStore(onCatalogue, checkedCatalogue)
  return (
    <div className={styles.badge}>
      <Wrap className={styles.line}>
        <Icon of={state === 'offline' ? WifiSlashIcon : WifiHighIcon} size={20} />
        {state === 'back' ? (
          'Back online'
        ) : wantsSignIn ? (
          <span>
            <NetworkSignIn />. Your downloads still play.
          </span>
        ) : (
          <span>
            You’re offline. Your downloads still play.
            {catalogue && ` Prices as of ${whenWas(catalogue.at)}.`}
            {catalogue?.isPartial && ' Some titles need a connection.'}
          </span>
        )}
      </Wrap>
    </div>
  )
}

/**
 * Offers the new release in the header, where it covers nothing: the player, reader, sheets and dialogs have
 * no header. Hidden while a book plays (trap 17).
 */
export function UpdateNotice() {
  const takeOver = useUpdateOffer((state) => state.takeOver)
  const isSilent = usePlayer(({ state }) => !wantsSound(state))
  if (!takeOver || !isSilent) return null
  return (
    <div className={styles.badge}>
      <Wrap className={styles.offerLine}>
        <span className={styles.offer}>A new version of {shop().name} is ready.</span>
        <button type="button" className={styles.update} onClick={() => takeOver(reloadPage)}>
          Update
        </button>
        <IconButton
          label="Not now"
          icon={<Icon of={XIcon} size={20} />}
          onClick={() => offerUpdate(undefined)}
        />
      </Wrap>
    </div>
  )
}

/** A new release waits for the user's consent. Cleared by "Not now" until the next start. */
const useUpdateOffer = create<{ takeOver: TakeOver | undefined }>()(() => ({ takeOver: undefined }))
export const offerUpdate = (takeOver: TakeOver | undefined): void => useUpdateOffer.setState({ takeOver })
