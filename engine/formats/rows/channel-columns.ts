import { CHANNEL_NAMES, type ChannelName, type Channels } from '../../channels.ts';
import type { ColumnHead } from '../text/csv-header.ts';
import type { TableRow } from '../text/csv-table.ts';

/** Describes what a logger says of one of its columns. */
export type ChannelHead = Pick<ColumnHead, 'name' | 'unit' | 'source'>;

/** Says which column holds a channel, and how many units of the channel one of the column is. */
export type ChannelColumn = { channel: ChannelName; column: number; factor: number };

const STANDARD_GRAVITY = 9.80665;

/** Lists the names of a channel in the order of trust: what the driver does comes before what follows from it, such as the throttle plate. */
const NAMES: Record<ChannelName, string> = {
  throttle:
    'accelerator pos, accelerator position, accelerator pedal position, accelerator pedal, pedal position, pedal pos, pps, aps, gaspedalposition, ' +
    'gas pedal position, throttle pedal, throttle, throttle pos, throttle position, throttlepos, throttle pct, tps, tps1, throttle position manifold, throttle angle',
  brake:
    'brake pos, brake position, brake pedal, brake pedal position, brake pedal pos, brake, brake pct, brakepos, brake pressure, brake press',
  brakePressure:
    'brake pressure, brake pressure front, front brake pressure, brake press front, brake press, brake pres front, brake pres, ' +
    'brakepress, brake f, f brake press, brakefront, pbrake f, brake pressure rear, rear brake pressure, brake press rear, pbrake r',
  rpm: 'rpm, engine rpm, engine speed, enginespeed, engine revs, revs, nmot, ecu rpm, tach, rpms',
  gear: 'gear, gear pos, gear position, gearposition, current gear, gear number, ecu gear, precalcgear, calculated gear, calc gear',
  steering:
    'steering angle, steering wheel angle, steering wheel position, steering wheel, steering pos, steering position, steer angle, steering, ' +
    'steeringangle, steered angle, steering deg',
  longitudinalAcceleration:
    'longitudinal acc, longitudinal acceleration, x acc, long acc, longacc, inlineacc, inline acc, g force long, g force longitudinal, longitudinal g, ' +
    'longitudinalg, lineal g, lineal acc, linealg, lineg, accx, gforcex, g force x, accel x, accelx, acc x, x acceleration, acceleration x, accelerometerx',
  lateralAcceleration:
    'lateral acc, lateral acceleration, y acc, lat acc, latacc, lateralacc, g force lat, g force lateral, lateral g, lateralg, ' +
    'accy, gforcey, g force y, accel y, accely, acc y, y acceleration, acceleration y, accelerometery',
};

const NAMES_OF = new Map(CHANNEL_NAMES.map((channel) => [channel, NAMES[channel].split(', ')]));

const ACCELERATIONS = {
  '': STANDARD_GRAVITY,
  g: STANDARD_GRAVITY,
  mg: STANDARD_GRAVITY / 1000,
  'm/s²': 1,
  'm/s^2': 1,
  'm/s2': 1,
  'm/s/s': 1,
  'm/sec²': 1,
};

/** Lists how many units of a channel one of a logger's units is. An empty one says nothing. */
const UNITS: Record<ChannelName, Readonly<Record<string, number>>> = {
  throttle: { '': 1, '%': 1, percent: 1, ratio: 100 },
  brake: { '%': 1, percent: 1, ratio: 100 },
  brakePressure: { bar: 1, psi: 0.068_947_6, kpa: 0.01, mpa: 10 },
  rpm: { '': 1, rpm: 1, '1/min': 1, 'r/min': 1, 'rev/min': 1, revs: 1 },
  gear: { '': 1, gear: 1, '#': 1, no: 1 },
  steering: { deg: 1, '°': 1, degrees: 1, degree: 1, rad: 180 / Math.PI },
  longitudinalAcceleration: ACCELERATIONS,
  lateralAcceleration: ACCELERATIONS,
};

/** Lists names that say the unit where the logger does not. */
const UNITS_OF_NAMES: Readonly<Record<string, string>> = {
  // RaceChrono and GR Cup write these without a unit, or with it in another file.
  'brake pos': '%',
  'brake position': '%',
  'brake pedal': '%',
  'brake pedal position': '%',
  'pbrake f': 'bar',
  'pbrake r': 'bar',
  'steering angle': 'deg',
  'steering wheel angle': 'deg',
};

/** Finds the columns of channels by their names, without accelerations that the logger derived from positions. */
export function findChannels(heads: readonly ChannelHead[]): ChannelColumn[] {
  const named = heads.map((head) => ({ ...head, name: plainName(head.name) }));
  return CHANNEL_NAMES.flatMap((channel) => {
    for (const name of NAMES_OF.get(channel) ?? []) {
      const column = named.findIndex((head) => head.name === name && factorOf(channel, head) !== null);
      const head = named[column];
      const factor = head === undefined ? null : factorOf(channel, head);
      if (factor !== null) return [{ channel, column, factor }];
    }
    return [];
  });
}

/** Returns a name without what only tells two sensors of one kind apart: `steering angle 1 canbus`. */
function plainName(name: string): string {
  return name
    .replace(/ (?:canbus|can|obd|ecu)$/, '')
    .replace(/ acc acc$/, ' acc')
    .replace(/ 1$/, '');
}

function factorOf(channel: ChannelName, { name, unit, source }: ChannelHead): number | null {
  if (source.includes('calc') || source.includes('gps')) return null;
  const written = unit === '' ? (UNITS_OF_NAMES[name] ?? '') : unit.toLowerCase().replaceAll('.', '');
  return UNITS[channel][written] ?? null;
}

/** Collects the values of channels for every row that becomes a fix. */
export class ChannelRecorder {
  readonly #found: readonly ChannelColumn[];
  /** Holds the values of each of these channels, in their order. */
  #values: Float64Array[];
  #capacity = FIRST_CAPACITY;

  constructor(found: readonly ChannelColumn[]) {
    this.#found = found;
    this.#values = found.map(() => unknownValues(FIRST_CAPACITY));
  }

  /** Returns the columns that the reader has to ask for, in the order of the cells that `see` reads. */
  get columns(): number[] {
    return this.#found.map(({ column }) => column);
  }

  /** Takes the values of the row that became the fix with this index, from cell `slot` on. */
  see(row: TableRow, slot: number, fixIndex: number): void {
    if (fixIndex >= this.#capacity) this.#grow(fixIndex);
    for (let place = 0; place < this.#found.length; place += 1) {
      const [found, values] = [this.#found[place], this.#values[place]];
      if (found !== undefined && values !== undefined)
        values[fixIndex] = found.factor * row.number(slot + place);
    }
  }

  /** Sets the value of a channel at a fix. */
  set(channel: ChannelName, fixIndex: number, value: number): void {
    if (fixIndex >= this.#capacity) this.#grow(fixIndex);
    const values = this.#values[this.#found.findIndex((found) => found.channel === channel)];
    if (values !== undefined) values[fixIndex] = value;
  }

  /** Returns the channels of so many fixes. */
  finish(fixCount: number): Channels {
    if (fixCount > this.#capacity) this.#grow(fixCount);
    const channels: Partial<Record<ChannelName, Float64Array>> = {};
    for (const [place, { channel }] of this.#found.entries())
      channels[channel] = this.#values[place]?.slice(0, fixCount) ?? unknownValues(fixCount);
    return channels;
  }

  #grow(fixIndex: number): void {
    this.#capacity = 2 * fixIndex;
    this.#values = this.#values.map((values) => {
      const longer = unknownValues(this.#capacity);
      longer.set(values);
      return longer;
    });
  }
}

// The smallest files that people upload have seven minutes at 10 Hz.
const FIRST_CAPACITY = 4096;

function unknownValues(length: number): Float64Array {
  return new Float64Array(length).fill(Number.NaN);
}
