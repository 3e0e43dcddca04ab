import { WifiHighIcon } from '@phosphor-icons/react/dist/csr/WifiHigh'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useWantsSignIn } from '#net/use-online.ts'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { NetworkSignIn } from '../problems/NetworkSignIn.tsx'
import styles from './banners.module.css'
import type { OfflineState } from './use-offline-state.ts'

/** Below the header; nothing while the shop can be reached. */
export function OfflineBadge({ state }: { state: OfflineState }) {
  const wantsSignIn = useWantsSignIn()
  if (state === 'online') return null
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
          'You’re offline. Your downloads still play.'
        )}
      </Wrap>
    </div>
  )
}
