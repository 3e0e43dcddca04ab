import { WifiHighIcon } from '@phosphor-icons/react/dist/csr/WifiHigh'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { whenWas } from '#format/date.ts'
import { checkedCatalogue, onCatalogue } from '#net/catalogue-checked.ts'
import { useWantsSignIn } from '#net/use-online.ts'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { NetworkSignIn } from '../problems/NetworkSignIn.tsx'
import styles from './banners.module.css'
import { useUpdateOffer } from './update-offer.ts'
import type { OfflineState } from './use-offline-state.ts'

const UpdateNotice = lazyPart(() => import('./UpdateNotice.tsx'), 'UpdateNotice')

/** A line below the header while the server can't be reached; else the offer of a new release, if there is one. */
export function OfflineBadge({ state }: { state: OfflineState }) {
  const hasUpdate = useUpdateOffer(({ takeOver }) => takeOver !== undefined)
  return (
    <>
      {state !== 'online' && <ConnectionLine state={state} />}
      {hasUpdate && (
        <Suspense>
          <UpdateNotice />
        </Suspense>
      )}
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
