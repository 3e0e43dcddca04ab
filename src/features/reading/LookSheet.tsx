import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { paperStyle } from './book-styles.ts'
import { stepSize, TYPE_SIZES, type Look, type Scheme } from './model.ts'
import styles from './reading.module.css'

interface LookSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The paper of the book, which the sheet takes too: it stands outside of the page. */
  scheme: Scheme
  look: Look
  onChange: (look: Look) => void
}

/** The look of the page; every change is seen at once behind the sheet. */
export function LookSheet({ open, onOpenChange, scheme, look, onChange }: LookSheetProps) {
  const { typeSize } = look
  const resize = (step: 1 | -1) => onChange({ ...look, typeSize: stepSize(typeSize, step) })
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Text and colours">
      <div className="stack gap-5">
        <div className={styles.size} role="group" aria-label="Text size">
          <IconButton
            label="Smaller text"
            icon={<Icon of={MinusIcon} />}
            disabled={typeSize <= TYPE_SIZES[0]}
            onClick={() => resize(-1)}
          />
          <output className={styles.sizeValue}>{typeSize} px</output>
          <IconButton
            label="Larger text"
            icon={<Icon of={PlusIcon} />}
            disabled={typeSize >= (TYPE_SIZES.at(-1) ?? typeSize)}
            onClick={() => resize(1)}
          />
        </div>
        <RadioGroup
          legend="Colours"
          value={look.colours}
          onChange={(colours) => onChange({ ...look, colours })}
          options={[
            { value: 'app', label: 'Match the app' },
            { value: 'light', label: 'Light' },
            { value: 'sepia', label: 'Sepia' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <RadioGroup
          legend="Typeface"
          value={look.typeface}
          onChange={(typeface) => onChange({ ...look, typeface })}
          options={[
            { value: 'book', label: 'The book’s own' },
            { value: 'newsreader', label: 'Newsreader' },
            { value: 'sans', label: 'Source Sans' },
            { value: 'wide', label: 'Verdana, wide letters' },
          ]}
        />
        <RadioGroup
          legend="Margins"
          value={look.margins}
          onChange={(margins) => onChange({ ...look, margins })}
          options={[
            { value: 'narrow', label: 'Narrow' },
            { value: 'usual', label: 'Usual' },
            { value: 'wide', label: 'Wide' },
          ]}
        />
        <RadioGroup
          legend="Pages"
          value={look.flow}
          onChange={(flow) => onChange({ ...look, flow })}
          options={[
            { value: 'paged', label: 'Turn' },
            { value: 'scrolled', label: 'Scroll' },
          ]}
        />
      </div>
    </Sheet>
  )
}
