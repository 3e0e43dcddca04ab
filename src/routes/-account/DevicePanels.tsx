import { ExportIcon } from '@phosphor-icons/react/dist/csr/Export'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { installsFromShareMenu, useInstall } from '#app/pop-ups/install.ts'
import { shop } from '#features/shop-details/shop.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useToasts } from '#ui/toast.ts'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { readScheme, type Scheme, writeScheme } from '#ui/scheme.ts'
import styles from './account.module.css'

export function AppearancePanel() {
  const [scheme, setScheme] = useState<Scheme>(readScheme)
  return (
    <RadioGroup
      legend="Appearance"
      hideLegend
      value={scheme}
      onChange={(next) => {
        setScheme(next)
        writeScheme(next)
      }}
      options={[
        { value: 'system', label: 'Match my device' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  )
}

/** How to install the app. */
export function InstallPanel() {
  const { offer, installed } = useInstall()
  if (installed)
    return <p>{shop().name} is on your home screen. Downloads stay there until you remove them.</p>
  if (offer)
    return (
      <div className={styles.panel}>
        <p>
          From your home screen {shop().name} opens without a network, and your downloads are less likely to
          be cleared.
        </p>
        <Button look="quiet" onClick={() => void offer.prompt()}>
          Install {shop().name}
        </Button>
      </div>
    )
  if (installsFromShareMenu())
    return (
      <ol className={styles.steps}>
        <li>
          Tap <Icon of={ExportIcon} size={20} /> Share in your browser’s toolbar.
        </li>
        <li>Choose “Add to Home Screen”.</li>
        <li>Open {shop().name} from there and log in again: the installed app keeps its own downloads.</li>
      </ol>
    )
  return <p>Look for “Install” or “Add to Home screen” in your browser’s menu.</p>
}

/** Toasts that have disappeared. */
export function RecentNotices() {
  const notices = useToasts(({ past }) => past)
  if (notices.length === 0)
    return <p>Nothing yet. Messages you missed appear here until you close this tab.</p>
  return (
    <ul role="list" className={styles.list}>
      {notices.map(({ id, text, atMs }) => (
        <li key={id}>
          {text} <time dateTime={new Date(atMs).toISOString()}>{hourOf(atMs)}</time>
        </li>
      ))}
    </ul>
  )
}

const hourOf = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

const LogOutDialog = lazyPart(() => import('#features/account/LogOutDialog.tsx'), 'LogOutDialog')

export function LogOutPanel() {
  const navigate = useNavigate()
  const user = useSession((state) => state.user)
  const owner = useSession((state) => state.owner)
  const [asking, setAsking] = useState(false)

  return (
    <div className={styles.panel}>
      <p>
        {owner?.fullName}
        {user && <>, {user.email}</>}
      </p>
      <Button look="quiet" onClick={() => setAsking(true)}>
        Log out
      </Button>
      {asking && (
        <Suspense>
          <LogOutDialog open={asking} onOpenChange={setAsking} onLeft={() => void navigate({ to: '/' })} />
        </Suspense>
      )}
    </div>
  )
}
