import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { useRef } from 'react'
import type { Settings } from '#contract/office/settings.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { base64Of } from '../../net/base64-of.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'

/** The logo and the icon: files next to shop.json, uploaded as soon as they are chosen. */
export const Pictures = ({ settings, name }: { readonly settings: Settings; readonly name: string }) => (
  <div className="setting-pictures">
    <div>
      {settings.file.logo && settings.logoUrl ? (
        <img src={settings.logoUrl} alt={`The logo of ${name}`} height={36} className="setting-logo" />
      ) : (
        <span className="setting-name">{name || 'Your shop'}</span>
      )}
      <span className="hint">
        {settings.file.logo
          ? 'Its shape is drawn in the ink of the page.'
          : 'No logo: the name is set in Newsreader.'}
      </span>
    </div>
    <Picture which="logo" settings={settings} />
    <Picture which="icon" settings={settings} />
  </div>
)

function Picture({ which, settings }: { readonly which: 'logo' | 'icon'; readonly settings: Settings }) {
  const input = useRef<HTMLInputElement>(null)
  const has = settings.file[which] !== undefined
  const options = {
    changes: [['settings']],
    done: () => `The ${which} is changed; the shop shows it in a moment.`,
    entry: ({ entry }: { readonly entry: number | null }) => entry,
  }
  const send = useAct(
    async (file: File) =>
      officeCall('PUT /api/office/settings/pictures/{which}', {
        params: { which },
        body: {
          version: settings.version,
          type: file.type === 'image/svg+xml' ? 'svg' : 'png',
          base64: await base64Of(file),
        },
      }),
    options,
  )
  const remove = useAct(
    () =>
      officeCall('PATCH /api/office/settings', {
        body: { version: settings.version, changes: { [which]: null } },
      }),
    { ...options, done: () => `The ${which} is taken away.` },
  )
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept="image/svg+xml,image/png"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={`A file for the ${which}`}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void send.write(file)
          target.value = ''
        }}
      />
      <Button compact icon={ImageIcon} busy={send.busy} sends onClick={() => input.current?.click()}>
        {has ? `Change the ${which}` : `Add ${which === 'icon' ? 'an icon' : 'a logo'}`}
      </Button>{' '}
      {has && (
        <Button compact busy={remove.busy} sends onClick={() => void remove.write()}>
          Remove the {which}
        </Button>
      )}
      <Refusal message={send.refusal || remove.refusal} />
    </div>
  )
}
