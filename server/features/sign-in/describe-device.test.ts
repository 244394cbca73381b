import { expect, test } from 'vitest';
import { describeDevice } from './describe-device.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const PHONE = 'Mozilla/5.0 (Linux; Android 10; K)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';

test.each([
  ['Chrome on Windows', `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ['Chrome on Mac', `${MAC} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ['Chrome on Android', `${PHONE} ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`],
  ['Chrome on iPhone', `${IPHONE} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/138.0.0.0 Safari/537.36`],
  ['Edge on Windows', `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`],
  ['Edge on Android', `${PHONE} ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0`],
  ['Edge on iPhone', `${IPHONE} Version/18.0 EdgiOS/138.0.3351.65 Mobile/15E148 Safari/604.1`],
  ['Opera on Mac', `${MAC} ${WEBKIT} Chrome/137.0.0.0 Safari/537.36 OPR/120.0.0.0`],
  ['Opera on Android', `${PHONE} ${WEBKIT} Chrome/135.0.0.0 Mobile Safari/537.36 OPR/89.0.0.0`],
  ['Opera on iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.5.2`],
  [
    'Samsung Internet on Android',
    `${PHONE} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
  ['Firefox on iPhone', `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Safari on Mac', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`],
  [
    'An app on Android',
    `Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) ${WEBKIT} Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36`,
  ],
  ['Unknown browser on Linux', 'curl/8.5.0 (Linux)'],
  ['Unknown browser', 'curl/8.5.0'],
  ['Unknown device', ''],
  ['Unknown device', null],
])('%s', (device, userAgent) => {
  expect(describeDevice(userAgent)).toBe(device);
});
