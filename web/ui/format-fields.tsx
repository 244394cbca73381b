import {
  DATES,
  type FormatChoice,
  formatDateAndTime,
  UNITS,
  UNITS_LABELS,
} from '#contract/formats/labels.ts';
import { SelectField } from './field.tsx';

const EXAMPLE = '2026-11-24T14:05';
const BY_REGION = 'As usual in your browser’s region';

type FormatFieldsProps = { choice: FormatChoice; onChange: (choice: FormatChoice) => void };

/** Shows the choices of units and of the form of dates; without one they follow the browser. */
export function FormatFields({ choice, onChange }: FormatFieldsProps) {
  return (
    <>
      <SelectField
        label="Units"
        value={choice.units ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, units: UNITS.find((one) => one === value) ?? null })
        }
      >
        <option value="">{BY_REGION}</option>
        {UNITS.map((units) => (
          <option key={units} value={units}>
            {UNITS_LABELS[units]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Dates and times"
        hint="Session dates are local to the track; lap times are the same for everybody."
        value={choice.dates ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, dates: DATES.find((one) => one === value) ?? null })
        }
      >
        <option value="">{BY_REGION}</option>
        {DATES.map((dates) => (
          <option key={dates} value={dates}>
            {formatDateAndTime({ dates }, EXAMPLE)}
          </option>
        ))}
      </SelectField>
    </>
  );
}
