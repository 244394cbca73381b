import type { TireCompound } from '#contract/laps/labels.ts';

/** Demo drivers drive this car of the library. */
export type DemoCar = {
  modelKey: string;
  /** The approximate power at the wheels per kilogram of car and driver, which the library lacks. */
  wattsPerKilogram: number;
  topSpeedMetersPerSecond: number;
  drivetrain: 'FWD' | 'RWD' | 'AWD';
  /** Downforce and suspension multiply the grip of the tyres by this factor; 1 for a road car. */
  gripFactor: number;
  /** Drivers of the car use these tyres, the quickest last. */
  tires: readonly TireCompound[];
};

const ROAD: readonly TireCompound[] = ['street-300', 'track-200'];
const TRACK_DAY: readonly TireCompound[] = ['street-300', 'track-200', 'rcomp'];
const RACE: readonly TireCompound[] = ['rcomp', 'full-slick'];

const car = (
  modelKey: string,
  drivetrain: DemoCar['drivetrain'],
  [wattsPerKilogram, topSpeedMetersPerSecond]: readonly [number, number],
  { tires = TRACK_DAY, gripFactor = 1 }: Partial<Pick<DemoCar, 'tires' | 'gripFactor'>> = {},
): DemoCar => ({ modelKey, drivetrain, wattsPerKilogram, topSpeedMetersPerSecond, tires, gripFactor });

/** The cars of the demo community are ordered from slow to quick within each kind. */
export const DEMO_CARS: readonly DemoCar[] = [
  car('mazda-mx-5-na-1-6', 'RWD', [72, 53], { tires: ROAD }),
  car('mazda-mx-5-nb-1-8', 'RWD', [86, 56]),
  car('mazda-mx-5-nd-2-0-nd2', 'RWD', [108, 60]),
  car('suzuki-swift-sport-zc33s', 'FWD', [88, 57], { tires: ROAD }),
  car('volkswagen-up-gti', 'FWD', [70, 53], { tires: ROAD }),
  car('honda-civic-type-r-ek9', 'FWD', [108, 61]),
  car('honda-civic-type-r-fl5', 'FWD', [152, 70]),
  car('renault-megane-rs-iv-300-trophy', 'FWD', [140, 68]),
  car('honda-integra-type-r-dc2', 'FWD', [112, 62]),
  car('toyota-gr86-zn8', 'RWD', [122, 62]),
  car('subaru-brz-zd8', 'RWD', [121, 62]),
  car('porsche-cayman-987-r', 'RWD', [158, 72]),
  car('porsche-718-cayman-982-gt4-rs', 'RWD', [232, 80], { gripFactor: 1.05 }),
  car('honda-s2000-ap2-cr', 'RWD', [128, 65]),
  car('lotus-elise-s1', 'RWD', [106, 57], { gripFactor: 1.04 }),
  car('caterham-seven-360', 'RWD', [190, 58], { gripFactor: 1.03 }),
  car('bmw-m3-e30', 'RWD', [104, 62]),
  car('bmw-m3-e36-3-2', 'RWD', [148, 68]),
  car('bmw-m2-f87-cs', 'RWD', [190, 75]),
  car('bmw-m4-f82-cs', 'RWD', [196, 77]),
  car('toyota-gr-yaris-xp210', 'AWD', [138, 64]),
  car('mitsubishi-lancer-evolution-vii-ix-evo-ix', 'AWD', [144, 67]),
  car('audi-tt-rs-8s', 'AWD', [176, 72], { tires: ROAD }),
  car('ford-mustang-s550-gt', 'RWD', [172, 71], { tires: ROAD }),
  car('chevrolet-camaro-6th-gen-ss-1le', 'RWD', [176, 73]),
  car('tesla-model-s-p100d-performance', 'AWD', [210, 70], { tires: ROAD, gripFactor: 0.96 }),
  car('porsche-911-992-turbo-s', 'AWD', [262, 86], { tires: ROAD }),
  car('porsche-911-997-gt3-rs', 'RWD', [214, 82], { gripFactor: 1.05 }),
  car('chevrolet-corvette-c8-z06', 'RWD', [262, 84], { gripFactor: 1.04 }),
  car('mclaren-720s', 'RWD', [310, 90], { gripFactor: 1.04 }),
  car('mazda-mx-5-cup-nd-global-mx-5-cup', 'RWD', [112, 60], { tires: RACE }),
  car('bmw-m2-cs-racing-f87-cup', 'RWD', [176, 74], { tires: RACE, gripFactor: 1.04 }),
  car('radical-sr3-rs-rsx-xx', 'RWD', [220, 66], { tires: RACE, gripFactor: 1.24 }),
  car('porsche-911-gt3-cup-992-cup', 'RWD', [258, 81], { tires: RACE, gripFactor: 1.14 }),
  car('bmw-m4-g82-gt3', 'RWD', [252, 79], { tires: RACE, gripFactor: 1.26 }),
  car('honda-civic-type-r-tcr-fl5-tcr', 'FWD', [172, 72], { tires: RACE, gripFactor: 1.1 }),
];
