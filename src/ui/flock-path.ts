/**
 * The murmuration as drawn for the house: 380 starlings along one breath of air, as an SVG path in a box of
 * 760 by 330. Stored, not computed, so that server and browser write the same bytes.
 */
export const flockPath = (): string => {
  let x = -4
  let path = ''
  for (let at = 0; at < BIRDS.length; at += 4) {
    x += value(at) * 0.25
    const y = 32 + value(at + 1) * 2.3
    const reach = value(at + 2) / 8
    const rise = value(at + 3) / 8 - 7.5
    // A quarter as thick as long, a little flatter below than above: a body seen from underneath.
    const back = Math.sqrt(reach * reach + rise * rise) / 4
    path += `M${short(x)} ${short(y)}l${short(reach)} ${short(rise - back)} ${short(reach)} ${short(rise + back)} `
    path += `${short(-reach)} ${short(back * 0.7 - rise)}z`
  }
  return path
}

const short = (number: number) => Math.round(number * 10) / 10

/** Four characters a bird: step to the right, height, reach, rise. '!' stands for the backslash. */
const value = (at: number) => (BIRDS[at] === '!' ? 92 : BIRDS.charCodeAt(at)) - 40

const BIRDS =
  '+jDz3nGq2lG~(m?z*gCq,q>{2iCp,hBy7j?l-hF~>mN~*q=t*kHu*l:q(qSz-nBt(qE|+kGo,tBn<p<u=rZt*oU~/rPp2qEz:jGn' +
  '0rM~+kU|3tVt8r>k.lFj(rBxIwJ{8oTx(rS~-nQ~(sTt(u?n,sDn0uAq*x>p(rZi-oCt0p:p9vMs)zZk*uPj.yQx3t:l5vZq-pHi' +
  '4|Fq*oNz+t?l)q>l2tJt,vFq*vFl.pTl1uMh3tFl.z<i*s]f<sPd6zJb6s]j0wSl(}>e,oXx,tEl6t>f,vOo)x@e1wHl)v?f/{Kd' +
  '+|Tf5}Pe6zV^>{Ci6wHl1uJa3tL`:xL[9vWh7}C`BuSe.zK]*}B`+}Rc0|F^,wVg,{Hb.sB_3~Na1u^c)tJ^,y>^6r=d.{Bc(uBc' +
  '.w!!6yBb-y^^)vGf0y^f:vBb0zZS8zPW.{F`*zK]3wJU-{^d*yV[7}LZ0}<`9uWO/u@[){Nb?sWV+zDU(|PN<xHT0xM]-yRX+uWT' +
  '3wUS+v>`9oFXLtJWQr>Y,pZX)tPM/m<U.s>Z.sKY5uOX3x>V/qXU,j=Z+oFR(xRF/tGL2xHP-sFI.i?Q+pTH+w>T+lOI)sIW,kIO' +
  '2lKC/mVI4h;!]fM@*nXJ,oJF-ZFO/vaL0r<])kRS:yUE*uSH4`XH.u7X-oGD)lFG,n=V3eVA0kW:+e?N)kEV-uZK-nGI)jBV)wFW' +
  ',hKR*z_G/gEH-mWD@ZNF3!FN)b<O(xcB)aFQ(nEV<yOJ/oUK.k:O3]Q>(hW>+aN20_NJ.aTH6tSG5aHU(hRL0fRN9t[1/cNL,OV1' +
  '^^V>5MV0*nJK)^IR-gNJ0jd8*}I70_f7,zQ?-BNLA=R/6cDB+_R4+O6PJ2I@.jZ@:SWM-ZFH9TVF.Tk.-<VJ4>FV+GWD(`V(*aKL' +
  '+aY=0IS9M_FH-HGG/jHO0PJL.PV6+UT5.ieJ)3V;,XCH/OV70SNN.?m8-TN9.Kj4.ub)0M^I+aN@5<]((YNC)NI>,I>X-Ec.4ORB' +
  ')d[G-LU3)Te>1JR7C1RP8+aO>jzH0HmB0lOO1<]207]8.OJE0EZQ,GiG,)k?@1Z>(YrN4O^T.F`J)XB!+QaP.ZiJ5Oj>1Ce:>ObH' +
  '*:NI)UWX8>KM+D^M+?mN,WVF+8MV0IVN*K]?(LY?1:KI(=OH8QmH6QVH)7NP.BdT4XbU;*Z!+<nT*6tR4Dv[(EPT(VRV<1n!*M_F' +
  '9SbS3OiZ)K^SICX[*5aT*Ag^*XBV)FT].0YT(FQ]5C^T*AfT<RAd3JZf*U^X)K^W(B[b30@Z+FZ!*3K]+E!VC?F_,?Nf75W^1EDe' +
  ',K`V(TdR*?`T*<JZ/@LY-=]_@E_[B?Wf7FaV4@[b1>H!)EK_)<c^)5Fj2BV!)OTn+Cbi)6Eg0DBf(9G^)D[_*>Ee)D]a4=Tb;6]h' +
  ')?at7ADe98La(8Rk*;Ng0ADi1>Jn+3Ve4CAe.GJb*>R^->Wq.ENo3E<l8=]d8FFgL<Vv(@Gd*GKq59BgAE>e,CYj/D^h=KAl77Or' +
  ',AVl*;V}-D>h*@DsDB<l'
