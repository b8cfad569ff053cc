/* Coefficients of polynomials, from the constant term up: Chebyshev fits to 60 digits, rounded. */
#ifndef UNRULY_DEVICE_COEFFICIENTS_H
#define UNRULY_DEVICE_COEFFICIENTS_H

#define CONSTANT static constexpr

/* (exp(r) - 1 - r) / r^2, |r| < log(2) / 2 */
CONSTANT double EXP[12] = {
    0x1.0000000000000p-1, 0x1.5555555555555p-3, 0x1.5555555555557p-5, 0x1.1111111111111p-7,
    0x1.6c16c16c15a48p-10, 0x1.a01a01a01969bp-13, 0x1.a01a01a9f72adp-16, 0x1.71de3a5aaefb9p-19,
    0x1.27e4d3f50d87fp-22, 0x1.ae642c5c1fa33p-26, 0x1.1f7f6aa421dd8p-29, 0x1.61bff1c64f494p-33};
/* (sin(r) / r - 1) / z, z = r^2, |r| < pi / 4 */
CONSTANT double SIN[8] = {
    -0x1.5555555555555p-3, 0x1.1111111111111p-7, -0x1.a01a01a01a019p-13, 0x1.71de3a556c2c8p-19,
    -0x1.ae64567e730f0p-26, 0x1.61245fb4ef563p-33, -0x1.ae7c53ae3d5e8p-41, 0x1.9242ad2f5e5e8p-49};
/* (cos(r) - 1 + z / 2) / z^2, z = r^2, |r| < pi / 4 */
CONSTANT double COS[8] = {
    0x1.5555555555555p-5, -0x1.6c16c16c16c17p-10, 0x1.a01a01a01a019p-16, -0x1.27e4fb7789d98p-22,
    0x1.1eed8eff3364ap-29, -0x1.9397495435c5fp-37, 0x1.ae7ce8c86e406p-45, -0x1.65d2b45d4159bp-53};
/* (atan(t) / t - 1) / z, z = t^2, |t| < 7 / 16 */
CONSTANT double ATAN[13] = {
    -0x1.5555555555555p-2, 0x1.999999999998fp-3, -0x1.24924924918dap-3, 0x1.c71c71c6734d0p-4,
    -0x1.745d171e17004p-4, 0x1.3b13aba9355c0p-4, -0x1.1110904178f8fp-4, 0x1.e1d233ed77442p-5,
    -0x1.ae7fd9a52a075p-5, 0x1.812bcfc86b90cp-5, -0x1.4abbfdd2be694p-5, 0x1.ddd7373373f00p-6,
    -0x1.99ef465843f9bp-7};
/* (asin(t) / t - 1) / z, z = t^2, |t| < 1 / 2 */
CONSTANT double ASIN[15] = {
    0x1.5555555555555p-3, 0x1.333333333332dp-4, 0x1.6db6db6db7c96p-5, 0x1.f1c71c70ed1adp-6,
    0x1.6e8ba31ce37bfp-6, 0x1.1c4ebd6df68b7p-6, 0x1.c99b000e791f4p-7, 0x1.7a70ab2bcdeadp-7,
    0x1.40e47f482ed3fp-7, 0x1.0a9171f4c504ep-7, 0x1.20548a3ca847dp-7, 0x1.804c0240677f0p-12,
    0x1.720d0586f24a3p-6, -0x1.8a435f5117258p-6, 0x1.f7b7e46af0ee8p-6};
/* erf(x) / x, z = x^2, |x| < 1 */
CONSTANT double ERF[16] = {
    0x1.20dd750429b6dp+0, -0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4, -0x1.b82ce31288b51p-6,
    0x1.565bcd0e6a530p-8, -0x1.c02db40040696p-11, 0x1.f9a326f9a74c6p-14, -0x1.f4d25c3b6cdfcp-17,
    0x1.b9e6c993bf792p-20, -0x1.5f742909f9602p-23, 0x1.fcc4c7f96424fp-27, -0x1.51cfd7846a64bp-30,
    0x1.9df7925bf7cc1p-34, -0x1.d32f7607fcc0ep-38, 0x1.cf807a086f8fcp-42, -0x1.3a7ee68bb4636p-46};
/* (1 + 2 x) erfcx(x), x = 4 (1 + q) / (1 - q), -1 <= q <= 1 */
CONSTANT double ERFCX[26] = {
    0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd6bap-7, 0x1.16ecefcfa5383p-4,
    -0x1.9ddb23c3e89f3p-4, 0x1.7fee004e1295bp-4, -0x1.0fb06dfe52605p-4, 0x1.3079edf67777bp-5,
    -0x1.096238838fb04p-6, 0x1.49c6728a1a0f0p-8, -0x1.8d4a9b0690e08p-11, -0x1.a1df289a58f28p-13,
    0x1.3be04c486a75ep-13, -0x1.9958e21c32f5cp-16, -0x1.78862b6b1e3abp-17, 0x1.7f2545048fbf3p-18,
    0x1.398374178fe8cp-22, -0x1.baf5e74545cc2p-21, 0x1.4cb0ece36623dp-24, 0x1.d98825ca9deb5p-24,
    -0x1.611fc8f45b510p-26, -0x1.fcc3a5268653fp-27, 0x1.b34e17ed4ff9fp-29, 0x1.f5d7df6dfda90p-30,
    -0x1.24000f0a15ee9p-32, -0x1.3ab58f87cfb03p-33};
/* gamma(1.5 + t), |t| <= 1 / 2 */
CONSTANT double GAMMA[28] = {
    0x1.c5bf891b4ef6bp-1, 0x1.08ea88ee561b1p-5, 0x1.a8c4dba620d57p-2, -0x1.b77ac1ca2eba5p-4,
    0x1.283bd374eb2a2p-3, -0x1.3d88cfe506064p-4, 0x1.e022b7434fc57p-5, -0x1.374fd5cc92b07p-5,
    0x1.a752c6aeb0bf7p-6, -0x1.1a2c297b48bffp-6, 0x1.7991dd7746b25p-7, -0x1.f7fc56694b049p-8,
    0x1.504eaddd0abe4p-8, -0x1.c0a22d5ef90f2p-9, 0x1.2b2f583409f9fp-9, -0x1.8efcd27e9d94cp-10,
    0x1.09feacd95d78ap-10, -0x1.62af080156ca0p-11, 0x1.d9ab7f7a407fep-12, -0x1.3bc9a1697bdc9p-12,
    0x1.9ded5c6694640p-13, -0x1.13f433ffba3dfp-13, 0x1.9f27cad27c4b9p-14, -0x1.14c5659de6173p-14,
    0x1.49215ee95fbbcp-16, -0x1.b6d768591521ap-17, 0x1.4dcf5a8f8a480p-15, -0x1.bd147fc61ff8fp-16};
/* lgamma(x) / ((x - 1) (x - 2)), x = 1.75 + t, 0.5 <= x <= 3 */
CONSTANT double LGAMMA[48] = {
    0x1.ccf151e09cde8p-2, -0x1.e96586307946ep-4, 0x1.6cb6251711903p-5, -0x1.382e176f60b07p-6,
    0x1.1f9587fa1d825p-7, -0x1.14f7c58eadde9p-8, 0x1.12aa72f7be8e5p-9, -0x1.1605627077b0ep-10,
    0x1.1daed5a51fd83p-11, -0x1.28f26700e9797p-12, 0x1.37766abf63739p-13, -0x1.4917bfd7d9755p-14,
    0x1.5dd6af6687abep-15, -0x1.75cec30391d0bp-16, 0x1.913dc292a1c08p-17, -0x1.b04742c0607afp-18,
    0x1.d1f0a43a8861bp-19, -0x1.f91f88e8db92fp-20, 0x1.1e105ba8efe2dp-20, -0x1.3820b1b6b5d73p-21,
    0x1.770d9d9fb87acp-23, -0x1.915d89adafdeep-24, 0x1.cb4fe20fee8afp-22, -0x1.015254293e1bfp-22,
    -0x1.63a86ddc4e347p-21, 0x1.91094a7386919p-22, 0x1.335305a0dc3b6p-20, -0x1.5a2899a15849dp-21,
    -0x1.93e49086e52c8p-20, 0x1.c700d61ee159ap-21, 0x1.b05f4174f10fdp-20, -0x1.e70f6e9f8a400p-21,
    -0x1.7277c9ba87960p-20, 0x1.a1529aea52831p-21, 0x1.fa18606bad21bp-21, -0x1.1d0b65509584cp-21,
    -0x1.0f8d994aa57c1p-21, 0x1.31e1f0c77d4b7p-22, 0x1.c05a3823a9aa9p-23, -0x1.f90447ee4e198p-24,
    -0x1.12fc6eeedc50cp-24, 0x1.35ba73d8e2347p-25, 0x1.d9049f7922403p-27, -0x1.0a6097f8906c2p-27,
    -0x1.fe6d7381049b4p-30, 0x1.1f6d43c05c403p-30, 0x1.05d0a5e97ee0ep-33, -0x1.26d56f4c3cd4ap-34};
/* The same in single precision. */
CONSTANT float EXPF[6] = {
    0x1.0000000000000p-1f, 0x1.5555560000000p-3f, 0x1.5554e80000000p-5f, 0x1.1110e00000000p-7f,
    0x1.6d43b00000000p-10f, 0x1.a1256c0000000p-13f};
CONSTANT float SINF[4] = {
    -0x1.5555560000000p-3f, 0x1.11110e0000000p-7f, -0x1.a013a80000000p-13f, 0x1.6dbdf20000000p-19f};
CONSTANT float COSF[4] = {
    0x1.5555560000000p-5f, -0x1.6c16c00000000p-10f, 0x1.a015c40000000p-16f, -0x1.2524400000000p-22f};
/* (atan(t) / t - 1) / z, z = t^2, |t| <= 1 */
CONSTANT float ATANF[10] = {
    -0x1.5555560000000p-2f, 0x1.9999560000000p-3f, -0x1.2489460000000p-3f, 0x1.c62bd00000000p-4f,
    -0x1.6dd3520000000p-4f, 0x1.1ff59c0000000p-4f, -0x1.90d76e0000000p-5f, 0x1.ae798c0000000p-6f,
    -0x1.2b156c0000000p-7f, 0x1.8531980000000p-10f};
CONSTANT float ASINF[6] = {
    0x1.5555540000000p-3f, 0x1.3334320000000p-4f, 0x1.6d5b8e0000000p-5f, 0x1.fd921a0000000p-6f,
    0x1.18e1f60000000p-6f, 0x1.14138c0000000p-5f};
/* (log(1 + f) - f + f^2 / 2) / f^3, sqrt(1/2) < 1 + f < sqrt(2) */
CONSTANT float LOGF[10] = {
    0x1.5555560000000p-2f, -0x1.fffff20000000p-3f, 0x1.9999a60000000p-3f, -0x1.555c7a0000000p-3f,
    0x1.2496dc0000000p-3f, -0x1.fdf42c0000000p-4f, 0x1.c407ee0000000p-4f, -0x1.b43de80000000p-4f,
    0x1.aff8de0000000p-4f, -0x1.fcc5d20000000p-5f};
/* (tanh(x) / x - 1) / z, z = x^2, |x| < 0.55 */
CONSTANT float TANHF[6] = {
    -0x1.5555560000000p-2f, 0x1.1111040000000p-3f, -0x1.ba142c0000000p-5f, 0x1.6579040000000p-6f,
    -0x1.1762740000000p-7f, 0x1.4b1a280000000p-9f};

#endif
