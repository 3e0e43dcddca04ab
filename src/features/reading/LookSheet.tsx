import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { paperStyle } from './book-styles.ts'
import { DIMS, stepSize, TYPE_SIZES, type Look, type Scheme } from './model.ts'
import styles from './reading.module.css'

interface LookSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The paper of the book, which the sheet takes too: it stands outside of the page. */
  scheme: Scheme
  look: Look
  onChange: (look: Look) => void
}

/** Sets the look of the page. Each change shows at once, on a phone in the half of the page above the sheet. */
export function LookSheet({ open, onOpenChange, scheme, look, onChange }: LookSheetProps) {
  const { typeSize } = look
  const resize = (step: 1 | -1) => onChange({ ...look, typeSize: stepSize(typeSize, step) })
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Text and colours" low>
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
            { value: 'wide', label: 'Wide letters' },
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
          legend="Line spacing"
          value={look.spacing}
          onChange={(spacing) => onChange({ ...look, spacing })}
          options={[
            { value: 'book', label: 'The book’s own' },
            { value: 'tight', label: 'Tight' },
            { value: 'open', label: 'Open' },
          ]}
        />
        <RadioGroup
          legend="Alignment"
          value={look.align}
          onChange={(align) => onChange({ ...look, align })}
          options={[
            { value: 'book', label: 'As in the book' },
            { value: 'left', label: 'Ragged' },
            { value: 'justify', label: 'Even' },
          ]}
        />
        <RadioGroup
          legend="Brightness"
          value={String(look.dim)}
          onChange={(dim) => onChange({ ...look, dim: DIMS.find((each) => String(each) === dim) ?? 0 })}
          options={[
            { value: '0', label: 'Full' },
            { value: '20', label: 'Dimmed' },
            { value: '40', label: 'Dimmer' },
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
